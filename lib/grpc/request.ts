import type * as z from 'zod/mini'
import { fail, invalid, ServiceError } from '../errors.ts'

/**
 * Reads what a message asks for as its schema requires it.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field
 */
export function readMessage<S extends z.ZodMiniType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues)
}

/** The value of a text or a number; proto3 knows no other sign of absence than an empty one. */
export function given<T extends string | number>(value: T): T | undefined {
  return value || undefined
}

/**
 * Runs what names its input otherwise than the message does.
 * @param fields the names of the message, where they differ
 * @throws what `run` throws, refused fields under the names of the message
 */
export async function renaming<T>(fields: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ServiceError && error.is('VALIDATION_FAILED'))) throw error
    const { validationErrors } = error.details
    throw fail('VALIDATION_FAILED', {
      validationErrors: validationErrors.map((row) => ({ ...row, field: fields[row.field] ?? row.field })),
    })
  }
}
