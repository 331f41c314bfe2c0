import * as z from 'zod/mini'
import { eventNames } from './event-filter.ts'
import { closed } from './text.ts'

/** The changes that a listener asks for. */
export const eventStream = z.strictObject(eventNames, { error: closed })
