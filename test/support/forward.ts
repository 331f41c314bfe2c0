import { type IncomingMessage, request, type ServerResponse } from 'node:http'

/** Passes a request on to a server of this machine, and its answer back. @param body of the request, if it was read */
export function forward(incoming: IncomingMessage, answer: ServerResponse, target: string, body?: string): void {
  const { hostname, port } = new URL(target)
  const { method, url: path, headers } = incoming
  const outgoing = request({ hostname, port, method, path, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  outgoing.on('error', () => answer.destroy())
  if (body === undefined) incoming.pipe(outgoing)
  else outgoing.end(body)
}
