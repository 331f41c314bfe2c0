import { describe, expect, it } from 'vitest'
import { StartError } from '../../../../../localstack/errors.ts'
import { BLOCKED, hiddenAddress } from '../../../../../localstack/stack/emulators/dynamodb.ts'

describe('E03 the address of an emulator that answers to every caller', () => {
  it('is another loopback address at every start', async () => {
    const places = await Promise.all(Array.from({ length: 20 }, () => hiddenAddress(async () => true)))
    expect(new Set(places.map(({ host }) => host)).size).toBeGreaterThan(15)
    for (const { host } of places) expect(host).toMatch(/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/)
  })

  it('is 127.0.0.1 on a machine without others, at the first free of the ports', async () => {
    const [taken, free] = BLOCKED
    const address = await hiddenAddress(async (port, host) => host === '127.0.0.1' && port !== taken)
    expect(address).toEqual({ host: '127.0.0.1', port: free })
  })

  it('does not exist if all those ports are taken', async () => {
    await expect(hiddenAddress(async () => false)).rejects.toThrow(StartError)
  })

  // Node's fetch goes by the list of the Fetch standard, as browsers do, and refuses before it connects.
  it.each(BLOCKED)('may have port %i, which browsers block', async (port) => {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { message: 'bad port' } })
  })
})
