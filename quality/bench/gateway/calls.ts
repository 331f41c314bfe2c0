import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders, type RequestOptions } from 'node:http'

const CONNECTIONS = 8

/** The status of an answer; undefined where nobody listens. */
export async function statusOf(url: string, options: RequestOptions = {}): Promise<number | undefined> {
  try {
    const [response]: [IncomingMessage] = (await once(get(url, options), 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response.statusCode
  } catch {
    return undefined
  }
}

/**
 * Calls over some connections, which are kept, for so many milliseconds.
 * @returns how many calls were answered
 * @throws Error for an answer other than 200
 */
export async function callFor(milliseconds: number, url: string, headers: OutgoingHttpHeaders): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const end = performance.now() + milliseconds
  let answered = 0

  async function call(): Promise<void> {
    while (performance.now() < end) {
      const status = await statusOf(url, { agent, headers })
      if (status !== 200) throw new Error(`${url} answers ${status}`)
      answered += 1
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, call))
  agent.destroy()
  return answered
}
