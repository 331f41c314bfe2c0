import { useSignal } from '@preact/signals'
import type { IFrame } from '@stomp/stompjs'
import { withOtherSignature } from '../token/token.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Modal } from '../ui/dialog.tsx'
import { Part } from '../ui/pane.tsx'
import { ForeignText } from '../ui/text.tsx'
import type { Lab } from './lab.ts'

/** The same token over STOMP, which a page can use, and over gRPC, which it cannot. */
export function ChannelsDialog({ lab, close }: { readonly lab: Lab; readonly close: () => void }) {
  const { stompUrl, grpcUrl } = lab.facts
  return (
    <Modal title="The same token over STOMP and gRPC" close={close}>
      <Part title="STOMP over WebSocket">
        {stompUrl === null ? <p class="muted">This stage has no STOMP.</p> : <Stomp lab={lab} url={stompUrl} />}
      </Part>
      <Part title="gRPC">
        {grpcUrl === null ? <p class="muted">This stage names no address for gRPC.</p> : <Grpc url={grpcUrl} />}
      </Part>
    </Modal>
  )
}

function Stomp({ lab, url }: { readonly lab: Lab; readonly url: string }) {
  const result = useSignal<StompResult | undefined>(undefined)
  const isBusy = useSignal(false)

  async function connect(spoil: (token: string) => string): Promise<void> {
    isBusy.value = true
    const login = await lab.token()
    result.value =
      'token' in login
        ? await tryStomp(url, spoil(login.token))
        : { isConnected: false, summary: login.refusal, frame: undefined }
    isBusy.value = false
  }

  const isDisabled = isBusy.value || !lab.isReady('bearer')
  return (
    <>
      <p class="wrap">
        Connect to <code>{url}</code> with the token, then send a message to yourself.
      </p>
      <p class="row flow">
        <Button class="main-btn" disabled={isDisabled} onClick={() => void connect((token) => token)}>
          Connect
        </Button>
        <Button disabled={isDisabled} onClick={() => void connect(withOtherSignature)}>
          Connect with a changed signature
        </Button>
      </p>
      <div class="stack" role="status">
        {result.value && <StompAnswer {...result.value} />}
      </div>
    </>
  )
}

function StompAnswer({ isConnected, summary, frame }: StompResult) {
  return (
    <>
      <p>
        <Badge tone={isConnected ? 'ok' : 'bad'} isSolid>
          {frame?.command ?? 'No answer'}
        </Badge>{' '}
        <ForeignText text={summary} />
      </p>
      {frame && (
        <pre class="code">
          <ForeignText
            text={`${frame.command}\n${Object.entries(frame.headers)
              .map(([name, value]) => `${name}:${value}\n`)
              .join('')}\n${frame.body}`}
          />
        </pre>
      )}
    </>
  )
}

function Grpc({ url }: { readonly url: string }) {
  return (
    <>
      <p>A page cannot use gRPC: browsers hide the trailers that carry its status. Use a terminal:</p>
      {grpcCommands(url).map(({ name, command }) => (
        <section key={name} class="stack tight" aria-label={name}>
          <p class="row">
            <span class="small muted grow">{name}</span>
            <CopyButton text={command} of={name} />
          </p>
          <pre class="code">{command}</pre>
        </section>
      ))}
    </>
  )
}

interface NamedCommand {
  readonly name: string
  readonly command: string
}

const METHOD = 'gatehouse.v1.AuthService/WhoAmI'

/** The same call by tools for a terminal. @param origin where gRPC listens, as http or https */
export function grpcCommands(origin: string): readonly NamedCommand[] {
  const { host, hostname, port, protocol } = new URL(origin)
  const isPlain = protocol === 'http:'
  const target = port === '' ? `${hostname}:${isPlain ? 80 : 443}` : host
  return [
    { name: 'a token of the local run', command: 'TOKEN=$(npx gatehouse token admin)' },
    {
      name: 'the call with npm',
      command: `npx @bufbuild/buf curl --protocol grpc ${isPlain ? '--http2-prior-knowledge ' : ''}--reflect-header '*' \\
  -H "authorization: Bearer $TOKEN" ${origin}/${METHOD}`,
    },
    {
      name: 'the call with grpcurl',
      command: `grpcurl ${isPlain ? '-plaintext ' : ''}-H "authorization: Bearer $TOKEN" ${target} ${METHOD}`,
    },
  ]
}

/** The result of a connection. */
interface StompResult {
  readonly isConnected: boolean
  /** The result in plain words. */
  readonly summary: string
  /** The answer to CONNECT; undefined if none came. */
  readonly frame: Pick<IFrame, 'command' | 'headers' | 'body'> | undefined
}

const PATIENCE = 5000
const DESTINATION = '/topic/public/playground'

/** Connects with a token, sends itself a message, and disconnects. Loads the client on first use. */
async function tryStomp(url: string, token: string): Promise<StompResult> {
  const { Client } = await import('../events/watch.ts')
  const { promise, resolve } = Promise.withResolvers<StompResult>()
  const client = new Client({
    brokerURL: url,
    connectHeaders: { Authorization: `Bearer ${token}` },
    reconnectDelay: 0,
    connectionTimeout: PATIENCE,
    onConnect: (frame) => {
      client.subscribe(DESTINATION, ({ body }) =>
        resolve({ isConnected: true, summary: `Connected; ${DESTINATION} sent back: ${body}`, frame }),
      )
      client.publish({ destination: DESTINATION, body: 'hello' })
    },
    onStompError: (frame) =>
      resolve({ isConnected: false, summary: `Refused: ${frame.headers['message'] ?? 'no reason given'}`, frame }),
    onWebSocketClose: () => resolve({ isConnected: false, summary: 'Nothing answers there.', frame: undefined }),
  })
  client.activate()
  const result = await promise
  await client.deactivate()
  return result
}
