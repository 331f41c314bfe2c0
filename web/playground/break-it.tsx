import { useSignal } from '@preact/signals'
import type { Exchange } from '../call.ts'
import { ExchangeView } from '../components/exchange-view.tsx'
import { BREAKS, type Break, dueRefusal, isRefusedSo, type Material, type Refusal } from './breaks.ts'
import type { Playground } from './playground.ts'

interface Result {
  readonly broken: Break
  readonly due: Refusal
  /** The answer, or why there is none. */
  readonly exchange: Exchange | string
}

/** Why the material of a break is missing. */
const MISSING: Readonly<Record<Material, string>> = {
  token: 'choose who calls by JWT',
  expired: 'a page cannot sign, and only a local run has one ready',
  withoutRole: 'a page cannot sign, and only a local run has one ready',
  session: 'log in',
}

/** Calls that must be refused, each with its documented refusal. */
export function BreakIt({ playground }: { readonly playground: Playground }) {
  const result = useSignal<Result | undefined>(undefined)

  async function run(broken: Break): Promise<void> {
    result.value = undefined
    const exchange = await attempt(broken, playground)
    result.value = { broken, due: dueRefusal(broken, playground.facts), exchange }
  }

  return (
    <>
      <div class="actions">
        {BREAKS.map((broken) => {
          const isMissing = !playground.hasMaterial(broken.from)
          return (
            <button
              key={broken.label}
              type="button"
              class="quiet"
              disabled={isMissing}
              aria-pressed={result.value?.broken === broken}
              onClick={() => void run(broken)}
            >
              {broken.label}
              {isMissing && <span class="muted"> ({MISSING[broken.from]})</span>}
            </button>
          )
        })}
      </div>
      <div role="status">{result.value && <Refused {...result.value} />}</div>
      {result.value && typeof result.value.exchange !== 'string' && <ExchangeView exchange={result.value.exchange} />}
    </>
  )
}

async function attempt(broken: Break, playground: Playground): Promise<Exchange | string> {
  const material = await playground.material(broken.from)
  if (typeof material !== 'string') return material.refusal
  try {
    return await playground.exchange(broken.call(material))
  } catch {
    return 'Nobody answers.'
  }
}

function Refused({ broken, due, exchange }: Result) {
  const isDue = typeof exchange !== 'string' && isRefusedSo(exchange, due)
  const documented = [String(due.status), due.message, due.tokenStatus].filter(Boolean).join(' · ')
  return (
    <>
      <p>
        {broken.what} It has to be refused: <code>{documented}</code>
      </p>
      <p>
        <strong class="badge" data-tone={isDue ? 'good' : 'bad'}>
          {typeof exchange === 'string' ? exchange : isDue ? '✓ Refused as documented' : '✗ Not as documented'}
        </strong>
      </p>
    </>
  )
}
