import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'

const NUL = '\0'

interface Message {
  readonly cursor: string
  readonly source: string
  readonly eventId: string
  readonly status: string
}

interface Close {
  readonly address: string
  readonly code: number
}

/** Watches webhook events; when a process goes away, it resumes on the next one. */
export class ResumingClient {
  /** How often each event was told. */
  readonly told = new Map<string, number>()
  /** What was said of each event last. */
  readonly statuses = new Map<string, string>()
  /** How open connections ended that this client did not end. */
  readonly closes: Close[] = []
  readonly #token: string
  readonly #addresses: readonly string[]
  #at: number
  #cursor: string | undefined
  #socket: WebSocket | undefined
  #isStopped = false

  constructor(token: string, addresses: readonly string[], first: number) {
    this.#token = token
    this.#addresses = addresses
    this.#at = first
  }

  /** How often it came back to its place. */
  get resumed(): number {
    return this.closes.length
  }

  /** Settles when it is subscribed. */
  connect(): Promise<void> {
    const subscribed = Promise.withResolvers<void>()
    const address = this.#addresses[this.#at % this.#addresses.length] ?? ''
    const socket = new WebSocket(address, ['v12.stomp'])
    this.#socket = socket
    socket.on('open', () => {
      socket.on('close', (code) => this.closes.push({ address, code }))
      socket.send(`CONNECT\naccept-version:1.2\npasscode:${this.#token}\n\n${NUL}`)
    })
    socket.on('message', (data) => this.#take(String(data), socket, subscribed.resolve))
    socket.on('error', () => {})
    socket.on('close', () => void this.#resume().then(subscribed.resolve))
    return subscribed.promise
  }

  stop(): void {
    this.#isStopped = true
    this.#socket?.terminate()
  }

  #take(text: string, socket: WebSocket, subscribed: () => void): void {
    const [head = '', body = ''] = text.replace(/\0\s*$/, '').split(/\n\n(.*)/s)
    if (head.startsWith('CONNECTED')) socket.send(this.#subscribe())
    if (head.startsWith('RECEIPT')) subscribed()
    if (head.startsWith('MESSAGE')) this.#note(JSON.parse(body))
  }

  #subscribe(): string {
    const resume = this.#cursor === undefined ? '' : `resume-after:${this.#cursor}\n`
    return `SUBSCRIBE\nid:0\ndestination:/topic/webhooks\nreceipt:r\n${resume}\n${NUL}`
  }

  #note({ cursor, eventId, status }: Message): void {
    this.#cursor = cursor
    this.statuses.set(eventId, status)
    this.told.set(eventId, (this.told.get(eventId) ?? 0) + 1)
  }

  async #resume(): Promise<void> {
    if (this.#isStopped) return
    this.#at += 1
    await setTimeout(100)
    await this.connect()
  }
}
