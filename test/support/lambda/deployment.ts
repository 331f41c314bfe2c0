import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSEvent } from 'aws-lambda'
import { SECRETS } from '../../../lib/runtime/settings/secret-names.ts'
import { clientOf } from '../../../localstack/providers/client.ts'
import { githubServer } from '../../../localstack/providers/github.ts'
import { served } from '../../../localstack/providers/pages.ts'
import { openDataFolder } from '../../../localstack/stack/data-folder.ts'
import { DEMO_DIRECTORY, demoEntries, type Entry, writeLdif } from '../../../localstack/stack/directory/entries.ts'
import { startDynamoDb } from '../../../localstack/stack/emulators/dynamodb.ts'
import { startSqs } from '../../../localstack/stack/emulators/sqs.ts'
import { sqsEvent } from '../../../localstack/stack/event-sources.ts'
import { HOST } from '../../../localstack/stack/ports.ts'
import { localResources, type Properties, type Resource, seedUsers } from '../../../localstack/stack/resources.ts'
import { keptSecrets } from '../../../localstack/stack/secrets.ts'
import {
  type DeployedFunction,
  type ExecutionEnvironment,
  startFunction,
} from '../../../localstack/strict/execution-environment.ts'
import { startEmbedded } from '../embedded-directory.ts'
import { freePort } from '../free-port.ts'
import { type SecretsManager, startSecretsManager } from '../secrets-manager.ts'
import { selfSigned } from '../slapd.ts'
import { tlsFront } from '../tls-front.ts'
import { DOMAIN } from './http-api.ts'
import { packageService } from './package.ts'

const REGION = 'eu-central-1'
const BASE_URL = `https://${DOMAIN}`

/** The service as it would be deployed, and what it needs of a cloud on this machine. */
export interface Deployment {
  /** Names of all functions, as in serverless.yml. */
  readonly functions: readonly string[]
  /** What the stage's secrets hold. */
  readonly secrets: Readonly<Record<string, string>>
  /**
   * Starts a new process of a function.
   * @param others variables that are not as the template has them; options of Node are added to its own
   * @param timeoutSeconds the same for the time that a call may take
   */
  start(name: string, others?: Readonly<Record<string, string>>, timeoutSeconds?: number): Promise<ExecutionEnvironment>
  /** The same, not started. */
  deployed(name: string, others?: Readonly<Record<string, string>>): Promise<DeployedFunction>
  /** Of the template, by their logical ids. */
  readonly resources: Readonly<Record<string, Resource>>
  /** How clients find what stands in for AWS. */
  readonly aws: Readonly<Record<string, string>>
  readonly secretsManager: SecretsManager
  /** What the template says of a function's calls of itself: `Allow` or `Terminate`. */
  recursiveLoopOf(name: string): string
  /** The next message of a queue, as Lambda would hand it over. */
  receive(queue: string): Promise<SQSEvent>
  /** What GitHub's own address is here, without TLS, for whoever plays the browser. */
  readonly github: string
  stop(): Promise<void>
}

/**
 * Packages the service for a stage and makes its resources, all of them from the compiled template. Directory and login
 * provider speak TLS, without which no deployed stage takes them.
 * @param folder an empty one
 * @param settings what whoever deploys sets besides
 * @param project the folder of another copy of the project
 */
export async function deploy(
  stage: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  project?: string,
): Promise<Deployment> {
  const cloud = await startCloud(folder)
  const aws = {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL_DYNAMODB: cloud.dynamodb,
    AWS_ENDPOINT_URL_SQS: cloud.sqs,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: cloud.secretsManager.url,
  }
  // For the clients that make the resources.
  Object.assign(process.env, aws)
  const service = await packageService(stage, { ...cloud.settings, ...settings }, folder, project)
  const resources = localResources(service.resources)
  await resources.provideAll()
  await seedUsers(`gatehouse-${stage}-users`)

  const secrets: Readonly<Record<string, string>> = {
    JWT_KEYS: `test:${randomBytes(64).toString('base64url')}`,
    WEBHOOK_SECRETS: keptSecrets(undefined).WEBHOOK_SECRETS,
    LDAP_BIND_DN: DEMO_DIRECTORY.LDAP_BIND_DN,
    LDAP_BIND_PASSWORD: cloud.bindPassword,
    OAUTH2_GITHUB_CLIENT_SECRET: cloud.client.secret,
  }
  for (const [name, settings] of Object.entries(SECRETS)) {
    const held = settings.flatMap((setting) => (secrets[setting] ? [[setting, secrets[setting]]] : []))
    cloud.secretsManager.put(`gatehouse/${stage}/${name}`, Object.fromEntries(held))
  }

  async function environmentOf(variables: Properties): Promise<Record<string, string>> {
    const resolved = Object.entries(variables).map(async ([name, value]) => [name, await resolve(value)] as const)
    return Object.fromEntries(await Promise.all(resolved))
  }

  /** What CloudFormation puts in the place of references. */
  async function resolve(value: unknown): Promise<string> {
    if (typeof value === 'object' && value && 'Fn::Sub' in value) return BASE_URL
    return String(await resources.resolve(value))
  }

  async function deployed(name: string, others: Readonly<Record<string, string>> = {}): Promise<DeployedFunction> {
    const { folder, properties } = service.functions.get(name) ?? fail(name)
    const variables = await environmentOf(properties.Environment.Variables)
    return {
      name: properties.FunctionName,
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      folder,
      environment: {
        ...aws,
        ...variables,
        // Authorities of this machine, which those of the real world stand for elsewhere.
        NODE_EXTRA_CA_CERTS: cloud.certificate,
        ...others,
        NODE_OPTIONS: [variables['NODE_OPTIONS'], others['NODE_OPTIONS']].filter(Boolean).join(' '),
      },
    }
  }

  return {
    functions: [...service.functions.keys()],
    deployed,
    resources: service.resources,
    aws,
    secretsManager: cloud.secretsManager,
    secrets,
    github: cloud.github,
    recursiveLoopOf: (name) => (service.functions.get(name) ?? fail(name)).properties.RecursiveLoop ?? 'Terminate',
    async start(name, others = {}, timeoutSeconds = undefined) {
      const given = await deployed(name, others)
      return startFunction({ ...given, timeoutSeconds: timeoutSeconds ?? given.timeoutSeconds })
    },
    async receive(queue) {
      const client = new SQSClient({ useQueueUrlAsEndpoint: false })
      const name = `gatehouse-${stage}-${queue}`
      const { Messages: messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: `${cloud.sqs}/000000000000/${name}`,
          WaitTimeSeconds: 10,
          MessageSystemAttributeNames: ['All'],
        }),
      )
      return sqsEvent(messages, `arn:aws:sqs:${REGION}:000000000000:${name}`)
    },
    stop: cloud.stop,
  }
}

function fail(name: string): never {
  throw new Error(`the template has no function ${name}`)
}

/** A deployed stage takes no secret that stands in the sources. */
function drawn(): string {
  return randomBytes(24).toString('base64url')
}

function withBindPassword({ dn, attributes }: Entry, password: string): Entry {
  return {
    dn,
    attributes: dn === DEMO_DIRECTORY.LDAP_BIND_DN ? { ...attributes, userPassword: [password] } : attributes,
  }
}

/** Everything that is not the service itself; `settings` are how it is found by whoever deploys. */
async function startCloud(folder: string) {
  const data = openDataFolder('memory')
  const tls = selfSigned(mkdirSync(join(folder, 'tls'), { recursive: true }) ?? '')
  const dynamodb = await freePort()
  const engine = startDynamoDb('dynoxide', { host: HOST, port: dynamodb }, data)
  const sqs = await freePort()
  const queues = await startSqs(sqs, REGION, data)
  const bindPassword = drawn()
  const directory = await startEmbedded(writeLdif(demoEntries().map((entry) => withBindPassword(entry, bindPassword))))
  const github = await freePort()
  const client = { ...clientOf('github', { baseUrl: BASE_URL }), secret: drawn() }
  const provider = createServer(served(githubServer(client)))
  provider.listen(github, '127.0.0.1')
  const [ldaps, https] = [await tlsFront(directory.port, tls), await tlsFront(github, tls)]
  const secretsManager = await startSecretsManager()
  await engine.up
  return {
    dynamodb: `http://127.0.0.1:${dynamodb}`,
    sqs: `http://127.0.0.1:${sqs}`,
    github: `http://127.0.0.1:${github}`,
    certificate: tls.certificate,
    secretsManager,
    bindPassword,
    client,
    settings: {
      PASSKEYS: 'on',
      LDAP_URL: `ldaps://127.0.0.1:${ldaps.port}`,
      LDAP_CA: readFileSync(tls.certificate, 'utf8'),
      LDAP_BASE: DEMO_DIRECTORY.LDAP_BASE,
      OAUTH2_GITHUB_CLIENT_ID: client.id,
      OAUTH2_GITHUB_AUTHORIZATION_URL: `https://127.0.0.1:${https.port}/login/oauth/authorize`,
      OAUTH2_GITHUB_TOKEN_URL: `https://127.0.0.1:${https.port}/login/oauth/access_token`,
      OAUTH2_GITHUB_API_URL: `https://127.0.0.1:${https.port}`,
    },
    async stop() {
      await Promise.all([ldaps.stop(), https.stop()])
      provider.close()
      provider.closeAllConnections()
      await Promise.all([secretsManager.stop(), directory.stop(), engine.part.stop(), queues.stop()])
      data.close()
    },
  }
}
