import { type ErrorCode, ServiceError } from '../../lib/errors.ts'

/**
 * What came of it; undefined for a refusal that its callers expect.
 * @throws whatever else was thrown
 */
export function unlessRefused<T>(codes: readonly ErrorCode[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    return expected(codes, error)
  }
}

/** The same of what takes its time. */
export async function unlessRejected<T>(
  codes: readonly ErrorCode[],
  read: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    return expected(codes, error)
  }
}

function expected(codes: readonly ErrorCode[], error: unknown): undefined {
  if (error instanceof ServiceError && codes.includes(error.code)) return undefined
  throw error
}
