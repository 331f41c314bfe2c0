import * as z from 'zod/mini'
import { closed, text } from './text.ts'

export const retryOrder = z.strictObject({ reason: z.optional(text) }, { error: closed })
