import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { pythonWith, runPython } from '../support/python.ts'
import { served } from '../support/served.ts'

const python = pythonWith('websocket')

async function connect(options: object): Promise<unknown> {
  const frame = `CONNECT\naccept-version:1.2\nAuthorization:Bearer ${await tokenOf('user')}\n\n\0`
  return runPython(python ?? '', 'websocket_client.py', { url: served('ready').ws, frame, options })
}

describe.skipIf(python === undefined)("Debian's python3-websocket", () => {
  it('T02 is accepted although its Origin is the host of the server', async () => {
    expect(await connect({})).toEqual({ heard: expect.stringMatching(/^CONNECTED\n/) })
  })

  it('T02 is refused with the Origin of another page', async () => {
    expect(await connect({ origin: 'https://evil.example' })).toEqual({ status: 403 })
  })

  it('T20 is refused for another host, even with that host as its Origin', async () => {
    expect(await connect({ host: 'evil.example' })).toEqual({ status: 421 })
  })
})
