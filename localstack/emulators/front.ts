import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { guard, machineGate } from '../guard.ts'
import { HOST } from '../ports.ts'
import type { RunPart } from '../supervisor.ts'
import type { ListenAddress } from './place.ts'

/**
 * Answers on the port in place of an emulator that cannot check its callers: only requests that pass the gate reach it.
 */
export async function startFront(port: number, emulator: ListenAddress, baseUrl: URL): Promise<RunPart> {
  const agent = new Agent({ keepAlive: true })

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, rawHeaders: headers } = request
    const call = send({ ...emulator, method, path, headers, agent })
    call.once('response', (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      pipeline(answer, response).catch(giveUp)
    })
    call.once('error', giveUp)
    pipeline(request, call).catch(giveUp)
    response.once('close', () => call.destroy())

    /** The caller or the emulator has disconnected: closes the connection to the other as well. */
    function giveUp(): void {
      response.destroy()
    }
  }

  const server = guard(createServer(forward), machineGate(baseUrl)).listen(port, HOST)
  await once(server, 'listening')
  return {
    name: 'The front of DynamoDB',
    ended: new Promise<never>(() => {}),
    async stop() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
