import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { StartError } from '../start-error.ts'
import { type Vector, vectorFile } from './vector.ts'

/**
 * The vectors of a file.
 * @throws StartError for a file that is not there, no JSON or of another shape; names the first place that is wrong
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

/** @throws StartError for a file that cannot be read */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new StartError(`${file}: cannot be read`, { cause })
  }
}
