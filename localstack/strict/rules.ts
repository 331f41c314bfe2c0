/** AWS's limits, in bytes and milliseconds; `RULES` names where each is written. */
export const LIMITS = {
  /** Of an event as JSON. */
  event: 6_291_456,
  /** Of a result as JSON. */
  result: 6_291_556,
  /** Of the body of a request. */
  body: 10 * 1024 * 1024,
  /** Of a request line and the values of all headers together. */
  headers: 10_240,
  /** How long an HTTP API waits for a function, a cold start included. */
  integration: 30_000,
  /** Of all files in the temporary folder. */
  temporary: 512 * 1024 * 1024,
  /** Invocations in one chain of a function that invokes itself. */
  loop: 16,
} as const

export type Limits = Readonly<Record<keyof typeof LIMITS, number>>

/** What AWS does to a service, and a strict run with it. */
export interface StrictRule {
  readonly rule: string
  /** What a caller, or the function, sees of it. */
  readonly seen: string
  /** Where AWS has written it down. */
  readonly source?: string
  /** What of it AWS has not, and who saw it. */
  readonly undocumented?: string
}

const QUOTAS_HTTP = 'API Gateway: Quotas for configuring and running an HTTP API'
const QUOTAS_LAMBDA = 'Lambda: Lambda quotas'
const PROXY = 'API Gateway: Create AWS Lambda proxy integrations for HTTP APIs'
const LIFECYCLE = 'Lambda: Understanding the Lambda execution environment lifecycle'
const CONCURRENCY = 'Lambda: Understanding Lambda function scaling'

/** Every rule; a test breaks each of them. */
export const RULES = {
  eventSize: {
    rule: 'An event has at most 6,291,456 bytes: JSON in which text is escaped and other bodies are base64',
    seen: '413 `{"message":"Request Entity Too Large"}`',
    source: QUOTAS_LAMBDA,
    undocumented: 'the body of the answer, which AWS’s own test tool has (aws/aws-lambda-dotnet#1990)',
  },
  resultSize: {
    rule: 'A result has at most 6,291,556 bytes, counted likewise',
    seen: '500 `{"message":"Internal Server Error"}`',
    source: QUOTAS_LAMBDA,
  },
  bodySize: {
    rule: 'The body of a request has at most 10 MB',
    seen: '413 `{"message":"Request Entity Too Large"}`',
    source: QUOTAS_HTTP,
    undocumented: 'the body of the answer',
  },
  headerSize: {
    rule: 'The request line and the values of all headers have at most 10,240 bytes together',
    seen: '431 `{"message":"Request Header Fields Too Large"}`',
    source: QUOTAS_HTTP,
    undocumented: 'status and body of the answer',
  },
  integrationTimeout: {
    rule: 'A caller waits 30 seconds, including the start of a process; the function continues',
    seen: '503 `{"message":"Service Unavailable"}`',
    source: QUOTAS_HTTP,
    undocumented: 'the answer, seen in serverless/serverless#11222',
  },
  functionTimeout: {
    rule: 'A function that takes longer than its timeout is killed; the next call gets a new process',
    seen: '500 `{"message":"Internal Server Error"}`',
    source: 'Lambda: Configure Lambda function timeout',
  },
  oneCall: {
    rule: 'A process has one call at a time; further calls get further processes',
    seen: 'nothing is shared between calls that overlap',
    source: CONCURRENCY,
  },
  frozen: {
    rule: 'A process stands still from its answer to its next call',
    seen: 'work that was not awaited continues at the next call, or never',
    source: LIFECYCLE,
  },
  concurrency: {
    rule: 'An account runs so many calls at once: `LOCAL_CONCURRENCY`, on AWS 1,000, in a new account ten',
    seen: '503 `{"message":"Service Unavailable"}`; 429 at Invoke',
    source: CONCURRENCY,
    undocumented: 'the answer of the HTTP API',
  },
  rate: {
    rule: 'A stage takes so many requests a second: the parameters `requestRate` and `requestBurst`',
    seen: '429 `{"message":"Too Many Requests"}`',
    source: 'API Gateway: Throttle requests to your HTTP APIs for better throughput',
  },
  loop: {
    rule: 'A function that invokes itself through a queue is stopped after 16 times, unless the template has `RecursiveLoop: Allow`',
    seen: 'the message goes to the dead-letter queue; 400 `RecursiveInvocationException` at Invoke',
    source: 'Lambda: Use Lambda recursive loop detection to prevent infinite loops',
  },
  functionError: {
    rule: 'An error that a function throws is no answer',
    seen: '500 `{"message":"Internal Server Error"}`',
    source: 'API Gateway: Troubleshooting issues with HTTP API Lambda integrations',
  },
  malformedResult: {
    rule: 'A result with a `statusCode` has that of an HTTP answer, and headers, cookies and body as they are declared',
    seen: '500 `{"message":"Internal Server Error"}`',
    source: PROXY,
  },
  plainResult: {
    rule: 'A result without a `statusCode` is the body of a 200 in JSON',
    seen: '200 with that body',
    source: PROXY,
  },
  challenge: {
    rule: '`WWW-Authenticate` is renamed',
    seen: '`x-amzn-remapped-www-authenticate` in its place',
    source: 'API Gateway: Amazon API Gateway important notes',
    undocumented: 'that HTTP APIs do so as REST APIs, seen in anthropics/claude-ai-mcp#748',
  },
  ownHeaders: {
    rule: 'Headers of the connection are the gateway’s own, and so are `Date` and `Content-Length`; `Server` is renamed',
    seen: 'what a function says in them is not sent',
    source: 'API Gateway: Amazon API Gateway important notes',
    undocumented: 'that HTTP APIs do so as REST APIs',
  },
  requestHeaders: {
    rule: 'Header names are in lower case, repeated headers are one with commas, cookies are a list of their own',
    seen: '`event.headers`, `event.cookies`',
    source: PROXY,
  },
  forwarded: {
    rule: 'The gateway adds the address of the client: `x-forwarded-for`, after the caller’s value, and `sourceIp`',
    seen: '`event.headers`, `event.requestContext`',
    source: PROXY,
  },
  path: {
    rule: 'A path is decoded once; what is behind a decoded `?` is cut off',
    seen: '`event.rawPath`; the query stays as it was sent',
    source: 'API Gateway: Create routes for HTTP APIs',
    undocumented: '`rawPath`, seen in fastify/aws-lambda-fastify#169, and the cut, in middleapi/standard-server#93',
  },
  malformedPath: {
    rule: 'A path that cannot be decoded reaches no function',
    seen: '400 `{"message":"Bad Request"}`',
    undocumented: 'all of it',
  },
  bodyEncoding: {
    rule: 'A body is text if its type is text, JSON, XML or JavaScript, otherwise base64',
    seen: '`event.body`, `event.isBase64Encoded`',
    source: PROXY,
    undocumented: 'the types, seen in ministackorg/ministack#766',
  },
  anyMethod: {
    rule: 'A route with ANY takes each method without a route of its own on the path',
    seen: '`event.routeKey`',
    source: 'API Gateway: Create routes for HTTP APIs',
  },
  noRoute: {
    rule: 'A request that no route is for, where there is no `$default`, reaches no function',
    seen: '404 `{"message":"Not Found"}`',
    source: 'API Gateway: Create routes for HTTP APIs',
  },
  temporary: {
    rule: '`/tmp` is the only folder that a process may write to, is its own, and holds 512 MB',
    seen: 'the call fails, and the process is gone; here it is `TMPDIR`, and measured after each call',
    source: 'Lambda: Configure ephemeral storage for Lambda functions',
  },
  environment: {
    rule: 'A function has the variables of its own template, and Lambda’s',
    seen: 'a setting that is only in the shell is not there',
    source: 'Lambda: Working with Lambda environment variables',
  },
} as const satisfies Record<string, StrictRule>

export type RuleName = keyof typeof RULES
