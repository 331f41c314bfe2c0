import { useSignal } from '@preact/signals'
import { withOtherSignature } from '../jwt/spoil.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import type { Playground } from './playground.ts'
import { type StompResult, tryStomp } from './stomp.ts'

/**
 * The same token over STOMP, which browsers support, and over gRPC, which they do not.
 */
export function Channels({ playground }: { readonly playground: Playground }) {
  return (
    <div class="columns">
      <Stomp playground={playground} />
      <Grpc />
    </div>
  )
}

function Stomp({ playground }: { readonly playground: Playground }) {
  const { stompUrl } = playground.facts
  const result = useSignal<StompResult | undefined>(undefined)
  const isBusy = useSignal(false)

  async function connect(url: string, spoil: (token: string) => string): Promise<void> {
    isBusy.value = true
    const login = await playground.token()
    result.value =
      'token' in login
        ? await tryStomp(url, spoil(login.token))
        : { isConnected: false, summary: login.refusal, frame: undefined }
    isBusy.value = false
  }

  if (stompUrl === null) return <Absent />
  const isDisabled = isBusy.value || !playground.isReady('bearer')
  return (
    <section class="exchange-part" aria-labelledby="stomp">
      <h3 id="stomp">STOMP over WebSocket</h3>
      <p>
        CONNECT with the token to <code>{stompUrl}</code>, then a message to oneself.
      </p>
      <div class="actions">
        <button type="button" disabled={isDisabled} onClick={() => void connect(stompUrl, (token) => token)}>
          Connect
        </button>
        <button
          type="button"
          class="quiet"
          disabled={isDisabled}
          onClick={() => void connect(stompUrl, withOtherSignature)}
        >
          Connect with a tampered token
        </button>
      </div>
      <div role="status">{result.value && <StompAnswer {...result.value} />}</div>
    </section>
  )
}

function Absent() {
  return (
    <section aria-labelledby="stomp">
      <h3 id="stomp">STOMP over WebSocket</h3>
      <p class="empty">This deployment runs no STOMP adapter.</p>
    </section>
  )
}

function StompAnswer({ isConnected, summary, frame }: StompResult) {
  return (
    <div class="fields">
      <p>
        <strong class="badge" data-tone={isConnected ? 'good' : 'bad'}>
          {isConnected ? '✓ CONNECTED' : `✗ ${frame?.command ?? 'No answer'}`}
        </strong>{' '}
        {summary}
      </p>
      {frame && (
        <pre class="wrapped">
          {`${frame.command}\n${Object.entries(frame.headers)
            .map(([name, value]) => `${name}:${value}\n`)
            .join('')}\n${frame.body}`}
        </pre>
      )}
    </div>
  )
}

const GRPC = `GRPC=127.0.0.1:5051 # as npm start prints it
npx buf curl --protocol grpc --http2-prior-knowledge --reflect-header '*' \\
  -H "authorization: Bearer $TOKEN" http://$GRPC/gatehouse.v1.AuthService/WhoAmI`

function Grpc() {
  return (
    <section class="exchange-part" aria-labelledby="grpc">
      <h3 id="grpc" class="inline">
        gRPC <CopyButton text={GRPC} of="the gRPC call" />
      </h3>
      <p>
        A browser cannot speak gRPC: no page is given the trailers of HTTP/2 that carry the status. From a terminal,
        with <code>TOKEN</code> set as on the <a href="/login">login page</a>:
      </p>
      <pre class="command">{GRPC}</pre>
    </section>
  )
}
