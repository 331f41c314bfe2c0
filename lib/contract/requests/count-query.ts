import * as z from 'zod/mini'
import { eventNames, filterFields, inOrder } from './event-filter.ts'
import { closed } from './text.ts'

const { from, to } = filterFields

export const countQuery = z.strictObject({ ...eventNames, from, to }, { error: closed }).check(inOrder)
