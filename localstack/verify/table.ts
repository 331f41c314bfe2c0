import {
  tryAdmin,
  tryBadToken,
  tryChallenge,
  tryErrorPath,
  tryForeignOrigin,
  tryHello,
  tryRoleRefused,
  trySecurityHeaders,
  tryUnknownPath,
  tryWrongMethod,
} from './access.ts'
import type { Check } from './check.ts'
import {
  tryBodyAboveTheGateway,
  tryBurst,
  tryLargestBody,
  tryLongHeaders,
  tryMalformedPath,
  tryTooLargeBody,
} from './limits.ts'
import { tryConsolePage, tryLoginPage, tryOpenApi, trySession } from './pages.ts'
import { tryLongReplay } from './replay.ts'
import { tryProtectedStack, tryProtectedTables } from './stack.ts'
import { tryAccepted, tryDuplicate, tryEscapedId, tryForgedSignature, tryProcessed, tryRetried } from './webhooks.ts'

/** Every check by what it is about, in the order in which they run. */
export const STAGE_CHECKS = {
  hello: tryHello,
  'security headers': trySecurityHeaders,
  'unknown path': tryUnknownPath,
  'wrong method': tryWrongMethod,
  'path of an error': tryErrorPath,
  'malformed path': tryMalformedPath,
  'long headers': tryLongHeaders,
  challenge: tryChallenge,
  'bad token': tryBadToken,
  admin: tryAdmin,
  'role refused': tryRoleRefused,
  'foreign origin': tryForeignOrigin,
  'OpenAPI document': tryOpenApi,
  'login page': tryLoginPage,
  console: tryConsolePage,
  session: trySession,
  webhook: tryAccepted,
  duplicate: tryDuplicate,
  'forged signature': tryForgedSignature,
  'escaped id': tryEscapedId,
  processed: tryProcessed,
  'largest body': tryLargestBody,
  'body too large': tryTooLargeBody,
  'body above the gateway': tryBodyAboveTheGateway,
  burst: tryBurst,
  retry: tryRetried,
  'replay of 20 steps': tryLongReplay,
  'protected tables': tryProtectedTables,
  'protected stack': tryProtectedStack,
} as const satisfies Readonly<Record<string, Check>>
