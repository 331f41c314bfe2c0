import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import { openDirectory } from '../../../lib/app/directory.ts'
import { ConfigError } from '../../../lib/runtime/config.ts'
import { COMPOSERS, ENVIRONMENT } from '../../support/composers.ts'

const composers = Object.entries(COMPOSERS)
const failureOf = (made: Promise<unknown>) => made.then(() => undefined).catch((error: unknown) => error)

describe('composition', () => {
  it.each(composers)('%s uses the given environment, and not that of the process', async (_, { make }) => {
    const before = { ...env }
    await expect((async () => make(ENVIRONMENT))()).resolves.toBeTruthy()
    expect(env).toEqual(before)
    expect(before).not.toHaveProperty('JWT_KEYS')
  })

  it.each(composers)('%s refuses wrong settings and names them', async (_, { make, wrong }) => {
    const error = await failureOf((async () => make({ ...ENVIRONMENT, ...wrong }))())
    expect(error).toBeInstanceOf(ConfigError)
    const named = (error as ConfigError).problems.map((problem) => problem.replace(/:.*/s, ''))
    expect(named).toEqual(Object.keys(wrong).sort())
  })
})

describe('a directory', () => {
  it('is the same for one environment, and another for another one', async () => {
    const opened = await openDirectory(ENVIRONMENT)
    expect(await openDirectory(ENVIRONMENT)).toBe(opened)
    expect(await openDirectory({ ...ENVIRONMENT })).not.toBe(opened)
  })

  it('is opened by the next call after a failure', async () => {
    const environment = { ...ENVIRONMENT, LDAP_BIND_DN: '' }
    await expect(openDirectory(environment)).rejects.toThrow('LDAP_BIND_DN')
    environment.LDAP_BIND_DN = 'cn=gatehouse,dc=example'
    await expect(openDirectory(environment)).resolves.toBeTruthy()
  })
})
