import * as z from 'zod/mini'
import { DESTINATION_NAME } from '../destination-name.ts'
import { closed } from './text.ts'

const PUBLIC = '/topic/public/'
const OF_USER = '/user/[^/\\p{Cc}\\p{Cs}]{1,256}/queue/'
/** Of a destination over HTTP. */
export const DESTINATION_FORM = new RegExp(`^(?:${PUBLIC}|${OF_USER})${DESTINATION_NAME}$`, 'u')
const NOTICES = /^\/user\/[^/]+\/queue\/notices$/

const RULE = 'must be /topic/public/<name> or /user/<user>/queue/<name>'

/** A message to clients of the channels: its body is a text or any other JSON. */
export const messageToSend = z.strictObject(
  {
    destination: z.string(RULE).check(
      z.regex(DESTINATION_FORM, RULE),
      z.refine((text) => !NOTICES.test(text), 'must not be the notices of the server'),
    ),
    body: z.unknown().check(z.refine((value) => value !== undefined, 'is required')),
  },
  { error: closed },
)
