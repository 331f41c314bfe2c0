import { once } from 'node:events'
import { WebSocket } from 'ws'
import { served } from './served.ts'

export interface StompAnswer {
  readonly command: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the running service answers to frames that each want an answer, sent one after the other over one WebSocket. */
export async function callStomp(...frames: readonly string[]) {
  const socket = new WebSocket(served('ready').ws, ['v12.stomp'])
  const closed = once(socket, 'close').then(([code]) => code as number)
  await once(socket, 'open')
  const answers: StompAnswer[] = []
  for (const frame of frames) {
    if (answers.at(-1)?.command === 'ERROR') break
    const heard = once(socket, 'message')
    socket.send(frame)
    const [answer] = await heard
    answers.push(read(String(answer)))
  }
  if (answers.at(-1)?.command !== 'ERROR') socket.close(1000)
  return { answers, closeCode: await closed }
}

/** A frame of a server whose headers are not escaped, and whose body, if it has any, is of one paragraph. */
function read(frame: string): StompAnswer {
  const [head = '', body = ''] = frame.replace(/\0$/, '').split('\n\n')
  const [command = '', ...lines] = head.split('\n')
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)])
  return { command, headers: Object.fromEntries(headers), body }
}
