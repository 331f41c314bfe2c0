import type { Environment } from '../../lib/runtime/config.ts'
import { demoUsers } from '../demo-users.ts'
import { embeddedProviders, providerEnvironment } from '../providers/embedded.ts'
import { withoutEmpty } from '../settings.ts'
import { DEMO_DIRECTORY } from './directory/entries.ts'
import { CALLED, PORT_NAMES, type PortName, type Ports } from './ports.ts'
import type { Secrets } from './secrets.ts'

/** The AWS services that the functions call: the SDK's settings for each, and the port of its emulator. */
const SERVICES = {
  dynamodb: { variable: 'AWS_ENDPOINT_URL_DYNAMODB', port: 'dynamodb' },
  sqs: { variable: 'AWS_ENDPOINT_URL_SQS', port: 'sqs' },
  eventbridge: { variable: 'AWS_ENDPOINT_URL_EVENTBRIDGE', port: 'events' },
} as const satisfies Record<string, { variable: string; port: PortName }>

type ServiceName = keyof typeof SERVICES

export type ServiceEndpoints = Readonly<Record<ServiceName, string>>

const NAMES = Object.keys(SERVICES) as readonly ServiceName[]

/** Emulators check no credentials, so they get no real ones. */
const NOBODY = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
const CREDENTIALS = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

/** The profiles that accept users of the directory. */
const WITH_DIRECTORY = ['default', 'ldap']

const DEFAULT_REGION = 'eu-central-1'

export function httpAddress(port: number, host = CALLED): string {
  return `http://${host}:${port}`
}

export function stompAddress(port: number): string {
  return `ws://${CALLED}:${port}/ws`
}

/** The address of the directory; null if the profile uses none. */
export function directoryOf(given: Environment, ports: Ports): string | null {
  if (isDirectoryEmulated(given)) return ldapAddress(ports.ldap)
  return hasDirectory(given) ? (given['LDAP_URL'] ?? null) : null
}

/** Whether to start the demo directory. */
export function isDirectoryEmulated(given: Environment): boolean {
  return !given['LDAP_URL'] && hasDirectory(given)
}

export function regionOf(given: Environment): string {
  return given['AWS_REGION'] || DEFAULT_REGION
}

export function endpointsOf(given: Environment, ports: Ports): ServiceEndpoints {
  const endpoints = NAMES.map((name) => [name, givenEndpoint(given, name) ?? httpAddress(ports[SERVICES[name].port])])
  return Object.fromEntries(endpoints) as ServiceEndpoints
}

/** Whether to start the emulator on the port: at least one of its services has no endpoint of its own. */
export function isEmulated(given: Environment, port: PortName): boolean {
  return NAMES.some((name) => SERVICES[name].port === port && givenEndpoint(given, name) === undefined)
}

/**
 * The ports that a run listens on; without those of services that others provide or that are switched off.
 * @param hasBus whether a destination is an EventBridge bus
 */
export function wantedPorts(given: Environment, hasBus: boolean): readonly PortName[] {
  const providers = embeddedProviders(given)
  const isUnwanted: Partial<Record<PortName, boolean>> = {
    dynamodb: !isEmulated(given, 'dynamodb'),
    sqs: !isEmulated(given, 'sqs'),
    events: !hasBus || !isEmulated(given, 'events'),
    ldap: !isDirectoryEmulated(given),
    google: !providers.includes('google'),
    github: !providers.includes('github'),
    facebook: !providers.includes('facebook'),
  }
  return PORT_NAMES.filter((name) => !isUnwanted[name])
}

/** Points the AWS clients of this process at the services of the run. */
export function enterLocalCloud(environment: NodeJS.ProcessEnv, ports: Ports): ServiceEndpoints {
  const entered = awsEnvironment(environment, ports)
  for (const name of CREDENTIALS) delete environment[name]
  Object.assign(environment, entered)
  return endpointsOf(entered, ports)
}

/** The given settings, and those with which the AWS clients find the emulators. */
function awsEnvironment(given: Environment, ports: Ports): Environment {
  const endpoints = endpointsOf(given, ports)
  return {
    AWS_REGION: regionOf(given),
    ...withoutEmpty(needsCredentials(given) ? given : withoutCredentials(given)),
    ...Object.fromEntries(NAMES.map((name) => [SERVICES[name].variable, endpoints[name]])),
  }
}

/** The environment of the gateway and the functions: given settings override those of the local run. */
export function environmentOf(given: Environment, ports: Ports, secrets: Secrets): NodeJS.ProcessEnv {
  return {
    BASE_URL: httpAddress(ports.http),
    STOMP_URL: stompAddress(ports.ws),
    GRPC_URL: httpAddress(ports.grpc),
    DEMO_USERS: JSON.stringify(demoUsers(isDirectoryEmulated(given))),
    ...secrets,
    ...awsEnvironment(given, ports),
    ...(given['LDAP_URL'] ? {} : demoDirectory(given, ports)),
    ...providerEnvironment(given, ports),
    STAGE: 'local',
  }
}

/** Adds what serverless.yml gives the functions; its options of Node come behind those of the run. */
export function withProvided(run: NodeJS.ProcessEnv, provided: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = [run['NODE_OPTIONS'], provided['NODE_OPTIONS']].filter(Boolean)
  return { ...run, ...provided, NODE_OPTIONS: options.join(' ') }
}

function demoDirectory(given: Environment, ports: Ports): Environment {
  const kind = given['LDAP_KIND'] || (isDemoAd(given) ? 'ad' : 'openldap')
  return { ...DEMO_DIRECTORY, LDAP_URL: ldapAddress(ports.ldap), LDAP_KIND: kind }
}

/** Whether the demo directory has the schema of Active Directory. */
export function isDemoAd({ LDAP_DEMO, LDAP_KIND }: Environment): boolean {
  return (LDAP_DEMO || LDAP_KIND) === 'ad'
}

function ldapAddress(port: number): string {
  return `ldap://${CALLED}:${port}`
}

function hasDirectory(given: Environment): boolean {
  return WITH_DIRECTORY.includes(given['PROFILE'] || 'default')
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
