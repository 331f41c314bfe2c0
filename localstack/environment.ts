import type { Environment } from '../lib/platform/config.ts'
import { HOST, type PortName, type Ports } from './ports.ts'
import type { Secrets } from './secrets.ts'
import { withoutEmpty } from './settings.ts'

/** The AWS services that the functions call: how the SDK finds them, and the port of the emulator. */
const SERVICES = {
  dynamodb: { variable: 'AWS_ENDPOINT_URL_DYNAMODB', port: 'dynamodb' },
  sqs: { variable: 'AWS_ENDPOINT_URL_SQS', port: 'sqs' },
  sns: { variable: 'AWS_ENDPOINT_URL_SNS', port: 'sqs' },
} as const satisfies Record<string, { variable: string; port: PortName }>

type ServiceName = keyof typeof SERVICES

export type Endpoints = Readonly<Record<ServiceName, string>>

const NAMES = Object.keys(SERVICES) as readonly ServiceName[]

/** Emulators know nobody, so real credentials have no business there. */
const NOBODY = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
const CREDENTIALS = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

const DEFAULT_REGION = 'eu-central-1'

export function httpAddress(port: number): string {
  return `http://${HOST}:${port}`
}

export function regionOf(given: Environment): string {
  return given['AWS_REGION'] || DEFAULT_REGION
}

export function endpointsOf(given: Environment, ports: Ports): Endpoints {
  const endpoints = NAMES.map((name) => [name, givenEndpoint(given, name) ?? httpAddress(ports[SERVICES[name].port])])
  return Object.fromEntries(endpoints) as Endpoints
}

/** Whether an emulator has to be started on the port: for at least one service that is not given an endpoint. */
export function isEmulated(given: Environment, port: PortName): boolean {
  return NAMES.some((name) => SERVICES[name].port === port && givenEndpoint(given, name) === undefined)
}

/** What the gateway and the functions see: what was given, over what a local run fills in. */
export function environmentOf(given: Environment, ports: Ports, secrets: Secrets): NodeJS.ProcessEnv {
  const endpoints = endpointsOf(given, ports)
  return {
    BASE_URL: httpAddress(ports.http),
    ...secrets,
    AWS_REGION: regionOf(given),
    ...withoutEmpty(needsCredentials(given) ? given : withoutCredentials(given)),
    ...Object.fromEntries(NAMES.map((name) => [SERVICES[name].variable, endpoints[name]])),
    STAGE: 'local',
  }
}

function givenEndpoint(given: Environment, name: ServiceName): string | undefined {
  return given[SERVICES[name].variable] || given['AWS_ENDPOINT_URL'] || undefined
}

function needsCredentials(given: Environment): boolean {
  const isSomeoneElseCalled = NAMES.some((name) => givenEndpoint(given, name) !== undefined)
  return isSomeoneElseCalled && CREDENTIALS.some((name) => given[name])
}

function withoutCredentials(given: Environment): Environment {
  const others = Object.entries(given).filter(([name]) => !CREDENTIALS.includes(name))
  return { ...Object.fromEntries(others), ...NOBODY }
}
