import * as z from 'zod/mini'
import { StartError } from '../errors.ts'

const refusal = z.object({
  message: z.string(),
  details: z.optional(
    z.object({
      validationErrors: z._default(z.array(z.object({ field: z.string(), message: z.string() })), []),
    }),
  ),
})

/** What a refusal says, in one line. */
export function refusalReason(body: unknown): string {
  const { success, data } = z.safeParse(refusal, body)
  if (!success) return 'nothing that can be understood'
  const rules = data.details?.validationErrors.map(({ field, message }) => `${field} ${message}`) ?? []
  return [data.message, ...rules].join('; ')
}

export function refused(status: number, body: unknown): StartError {
  return new StartError(`The service answers ${status}: ${refusalReason(body)}`)
}

/** The body of a success. @throws StartError for any other answer */
export async function expectedBody<S extends z.ZodMiniType>(response: Response, schema: S): Promise<z.output<S>> {
  const body = await jsonIfAny(response)
  const parsed = z.safeParse(schema, body)
  if (response.ok && parsed.success) return parsed.data
  throw refused(response.status, body)
}

/** Undefined for an answer that is no JSON. */
export function jsonIfAny(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined)
}
