import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { StartError } from '../start-error.ts'
import { type Vector, vectorFile } from './vector.ts'

/**
 * Reads the vectors of a file.
 * @throws StartError for a file that does not exist, is not JSON or has another shape; names the first wrong place
 */
export function readVectors(file: string): readonly Vector[] {
  const given = z.safeParse(vectorFile, parsed(file), { error: z.locales.en().localeError })
  if (given.success) return given.data.vectors
  const [issue] = given.error.issues
  throw new StartError(`${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readBytes(file).toString())
  } catch (error) {
    if (error instanceof SyntaxError) throw new StartError(`${file}: is no JSON`)
    throw error
  }
}

/** @throws StartError for an unreadable file */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new StartError(`${file}: cannot be read`, { cause })
  }
}
