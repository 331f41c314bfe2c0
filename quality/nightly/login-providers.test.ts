import { createServer } from 'node:net'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { freeOffset, startStack, temporaryFolder } from '../../test/support/stack.ts'

const data = temporaryFolder()
afterAll(() => data.remove())

const PORTS = [3002, 3003, 3004]

async function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer().once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  return promise
}

async function areFree(offset: number): Promise<boolean> {
  return (await Promise.all(PORTS.map((port) => isFree(port + offset)))).every(Boolean)
}

interface Jwks {
  readonly keys: readonly { readonly kid: string }[]
}

async function keysOf(offset: number): Promise<readonly string[]> {
  const response = await fetch(`http://127.0.0.1:${3002 + offset}/jwks`)
  return ((await response.json()) as Jwks).keys.map(({ kid }) => kid)
}

const startAt = (http: string, provider: string) =>
  fetch(`${http}/oauth2/authorization/${provider}`, { redirect: 'manual' })

describe('the embedded login providers', () => {
  it('are named when they are ready, keep their keys, and end with a run that is killed or stopped', async () => {
    const offset = await freeOffset()
    const environment = { PORT_OFFSET: String(offset), DATA_DIR: data.path }
    const killed = await startStack(environment)
    expect(killed.ready).toMatchObject({
      idp: {
        google: `http://127.0.0.1:${3002 + offset}`,
        github: `http://127.0.0.1:${3003 + offset}`,
        facebook: `http://127.0.0.1:${3004 + offset}`,
      },
    })
    const stores = killed.ready.users.map(({ store }) => store)
    for (const store of ['google', 'github', 'facebook']) {
      expect(stores.indexOf(store)).toBeGreaterThan(stores.lastIndexOf('jdbc'))
    }
    const keys = await keysOf(offset)
    killed.process.kill('SIGKILL')
    await vi.waitUntil(() => areFree(offset), { timeout: 10_000, interval: 100 })

    const stopped = await startStack(environment)
    expect(await keysOf(offset)).toEqual(keys)
    expect(await stopped.stop()).toBe(0)
    expect(await areFree(offset)).toBe(true)
  })

  it('do not run in a profile without them', async () => {
    const offset = await freeOffset()
    const stack = await startStack({ PORT_OFFSET: String(offset), DATA_DIR: 'memory', PROFILE: 'jwt' })
    expect(stack.ready).toMatchObject({ idp: null })
    expect(stack.ready.users.filter(({ store }) => store === 'google')).toEqual([])
    expect(await areFree(offset)).toBe(true)
    expect((await startAt(stack.ready.http, 'google')).status).toBe(404)
    await stack.stop()
  })

  it('do not replace a provider that has a configured client', async () => {
    const offset = await freeOffset()
    const stack = await startStack({
      PORT_OFFSET: String(offset),
      DATA_DIR: 'memory',
      PROFILE: 'oauth2',
      OAUTH2_GITHUB_CLIENT_ID: 'my-own-client',
      OAUTH2_GITHUB_CLIENT_SECRET: 'my-own-secret',
      OAUTH2_GOOGLE_CLIENT_ID: 'my-own-client',
      OAUTH2_GOOGLE_CLIENT_SECRET: 'my-own-secret',
      OAUTH2_GOOGLE_ISSUER: `http://127.0.0.1:${3002 + offset}`,
    })
    expect(stack.ready).toMatchObject({ idp: { github: 'https://github.com' } })
    expect(await isFree(3003 + offset)).toBe(true)
    expect(stack.ready.users.map(({ store }) => store)).not.toContain('github')

    const github = new URL((await startAt(stack.ready.http, 'github')).headers.get('location') ?? '')
    expect(github.origin + github.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(github.searchParams.get('client_id')).toBe('my-own-client')
    expect((await startAt(stack.ready.http, 'google')).status, 'nothing listens there').toBe(503)
    expect((await startAt(stack.ready.http, 'facebook')).status).toBe(302)
    await stack.stop()
  })
})
