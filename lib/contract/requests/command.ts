import * as z from 'zod/mini'
import { closed, shortText } from './fields.ts'

/** Why an operator does something, for the history of what it is done to. */
export const retryCommand = closed({ reason: z.optional(shortText()) })
