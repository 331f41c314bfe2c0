import { env } from 'node:process'
import { describe, expect, it, vi } from 'vitest'

// The directory is opened once for a process.
vi.resetModules()
const { ConfigError } = await import('../../../lib/runtime/config.ts')
const { COMPOSERS, ENVIRONMENT, useSettings } = await import('../../support/composers.ts')

const composers = Object.entries(COMPOSERS)
const failureOf = (made: Promise<unknown>) => made.then(() => undefined).catch((error: unknown) => error)

describe('composition', () => {
  it.each(composers)('%s refuses wrong settings and names them', async (_, { make, wrong }) => {
    useSettings({ ...ENVIRONMENT, ...wrong })
    const error = await failureOf((async () => make())())
    expect(error).toBeInstanceOf(ConfigError)
    const named = (error as InstanceType<typeof ConfigError>).problems.map((problem) => problem.replace(/:.*/s, ''))
    expect(named).toEqual(Object.keys(wrong).sort())
  })

  it.each(composers)('%s changes no setting', async (_, { make }) => {
    useSettings(ENVIRONMENT)
    const before = { ...env }
    await expect((async () => make())()).resolves.toBeTruthy()
    expect(env).toEqual(before)
  })
})

describe('a directory', () => {
  it('is opened by the next call after a failure, and is the same at each later one', async () => {
    vi.resetModules()
    const { openDirectory } = await import('../../../lib/app/directory.ts')
    useSettings({ ...ENVIRONMENT, LDAP_BIND_DN: '' })
    await expect(openDirectory()).rejects.toThrow('LDAP_BIND_DN')
    env['LDAP_BIND_DN'] = 'cn=gatehouse,dc=example'
    const opened = await openDirectory()
    expect(await openDirectory()).toBe(opened)
  })
})
