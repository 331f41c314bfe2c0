import type { RuleName } from '../../localstack/strict/rules.ts'
import type { PlantedBug } from './bugs.ts'

/** What enforces each rule of a strict run, and how it is taken out. */
const ENFORCED: readonly (readonly [rule: RuleName, file: string, find: string, replace: string])[] = [
  ['eventSize', 'runtime-api.ts', 'Buffer.byteLength(body) > LIMITS.event', 'Buffer.byteLength(body) < 0'],
  ['resultSize', 'runtime-api.ts', 'size > LIMITS.result', 'size < 0'],
  ['bodySize', 'gateway.ts', 'if (body === undefined) return', 'if (body?.length === -1) return'],
  ['headerSize', 'gateway.ts', 'headerBytes(request) > limits.headers', 'headerBytes(request) < 0'],
  ['integrationTimeout', 'gateway.ts', 'Promise.race([answer, late])', 'answer'],
  [
    'functionTimeout',
    'execution-environment.ts',
    "resolve(cutOff('Sandbox.Timedout', message)), timeoutSeconds * 1000)",
    "resolve(cutOff('Sandbox.Timedout', message)), timeoutSeconds * 100_000)",
  ],
  ['oneCall', 'lambda.ts', 'idle.splice(index, 1)', 'idle.slice(index, index + 1)'],
  ['frozen', 'execution-environment.ts', "freeze: () => signal('SIGSTOP')", 'freeze: () => {}'],
  ['concurrency', 'lambda.ts', 'if (running >= concurrency)', 'if (running < 0)'],
  ['rate', 'gateway.ts', 'if (!rate.take())', 'if (rate.take() && false)'],
  ['loop', 'lambda.ts', 'invocationsIn(trace) >= LIMITS.loop', 'invocationsIn(trace) < 0'],
  [
    'functionError',
    'http-result.ts',
    'if (isError) return gatewayAnswer',
    "if (isError && payload === '') return gatewayAnswer",
  ],
  [
    'malformedResult',
    'http-result.ts',
    "if (!success) return gatewayAnswer(500, 'Internal Server Error')",
    'if (!success) return plainAnswer(payload)',
  ],
  [
    'plainResult',
    'http-result.ts',
    "|| !('statusCode' in result)) return plainAnswer(payload)",
    ") return gatewayAnswer(500, '')",
  ],
  ['challenge', 'http-result.ts', "const RENAMED = ['www-authenticate', 'server']", "const RENAMED = ['server']"],
  ['ownHeaders', 'http-result.ts', "const OWN = ['connection', 'content-length', 'date', ", 'const OWN = ['],
  ['requestHeaders', 'http-api.ts', '[lower(name), value]', '[name, value]'],
  ['forwarded', 'http-api.ts', "[sent['x-forwarded-for'], sourceAddress]", "[sent['x-forwarded-for']]"],
  [
    'path',
    'http-api.ts',
    "decodeURIComponent(rawPathOf(target)).split('?', 1)",
    '[decodeURIComponent(rawPathOf(target))]',
  ],
  ['malformedPath', 'gateway.ts', 'if (error instanceof URIError)', 'if (error instanceof RangeError)'],
  ['bodyEncoding', 'http-api.ts', 'asText ?? TEXT_TYPES.test', 'asText ?? !TEXT_TYPES.test'],
  [
    'noRoute',
    'gateway.ts',
    "if (!found) return gatewayAnswer(404, 'Not Found')",
    "if (!found) return gatewayAnswer(500, 'Not Found')",
  ],
  ['temporary', 'execution-environment.ts', 'bytes > LIMITS.temporary', 'bytes < 0'],
  ['environment', 'execution-environment.ts', '...platformOf(deployed),', '...process.env, ...platformOf(deployed),'],
]

export const STRICT_BUGS: readonly PlantedBug[] = ENFORCED.map(([rule, file, find, replace]) => ({
  guard: `strict run: ${rule}`,
  file: `localstack/strict/${file}`,
  find,
  replace,
  test: 'test/process/strict.test.ts',
  named: `${rule}: `,
}))
