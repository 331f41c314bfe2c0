import * as z from 'zod/mini'

/**
 * What a message of a queue says.
 * @throws Error with these words for one that breaks the schema; its text stays out of the error
 */
export function readQueued<S extends z.ZodMiniType>(schema: S, message: string, wrong: string): z.output<S> {
  const read = z.safeParse(schema, parsed(message))
  if (read.success) return read.data
  throw new Error(wrong)
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}
