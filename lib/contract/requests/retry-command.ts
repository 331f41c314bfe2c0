import * as z from 'zod/mini'
import { closed, shortText } from './text.ts'

export const retryCommand = z.strictObject({ reason: z.optional(shortText) }, { error: closed })
