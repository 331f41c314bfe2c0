import { useSignal } from '@preact/signals'
import type { Route } from '../../lib/endpoints/route.ts'
import { WAY_LABELS, type Way } from '../callers/ways.ts'
import { ExchangeView } from '../components/exchange-view.tsx'
import { type Cell, cellKeyOf, isAsExpected, type Playground, type TryOutcome } from './playground.ts'

/** The endpoints, each with a button for every way; the result of a try opens below its row. */
export function Matrix({ playground }: { readonly playground: Playground }) {
  const chosen = useSignal<Cell | undefined>(undefined)
  const { rows, ways, outcomes, isReady } = playground

  async function choose(cell: Cell): Promise<void> {
    const isOpen = chosen.value !== undefined && cellKeyOf(chosen.value) === cellKeyOf(cell)
    chosen.value = isOpen ? undefined : cell
    if (!isOpen && !outcomes.value.has(cellKeyOf(cell))) await playground.run(cell)
  }

  return (
    <section class="scroll" aria-label="Endpoints and ways in">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            {ways.map((way) => (
              <th scope="col" key={way}>
                {WAY_LABELS[way]}
                {!isReady(way) && <span class="muted">{way === 'session' ? ': log in' : ': nobody chosen'}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, route]) => (
            <Row key={name} name={name} route={route} playground={playground} chosen={chosen.value} choose={choose} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProperties {
  readonly name: string
  readonly route: Route
  readonly playground: Playground
  readonly chosen: Cell | undefined
  readonly choose: (cell: Cell) => Promise<void>
}

function Row({ name, route, playground, chosen, choose }: RowProperties) {
  const open = chosen?.name === name ? chosen : undefined
  return (
    <>
      <tr>
        <th scope="row">
          <code>
            {route.method} {route.path}
          </code>
        </th>
        {playground.ways.map((way) => (
          <td key={way}>
            <CellButton
              cell={{ name, route, way }}
              playground={playground}
              isOpen={open?.way === way}
              onClick={choose}
            />
          </td>
        ))}
      </tr>
      {open && (
        <tr class="opened">
          <td colSpan={playground.ways.length + 1}>
            <Detail cell={open} playground={playground} />
          </td>
        </tr>
      )}
    </>
  )
}

interface ButtonProperties {
  readonly cell: Cell
  readonly playground: Playground
  readonly isOpen: boolean
  readonly onClick: (cell: Cell) => Promise<void>
}

function CellButton({ cell, playground, isOpen, onClick }: ButtonProperties) {
  const { route, way } = cell
  const outcome = playground.outcomes.value.get(cellKeyOf(cell))
  const expected = playground.expected(cell)
  const { tone, text } = labelOf(outcome, expected)
  return (
    <button
      type="button"
      class="cell"
      data-tone={tone}
      aria-expanded={isOpen}
      aria-label={`${text}: ${route.method} ${route.path}, ${nameOf(way)}`}
      disabled={!playground.isReady(way)}
      onClick={() => void onClick(cell)}
    >
      {text}
    </button>
  )
}

function labelOf(outcome: TryOutcome | undefined, expected: number) {
  if (!outcome) return { tone: undefined, text: String(expected) }
  if (isAsExpected(outcome)) return { tone: 'good', text: `✓ ${expected}` }
  return {
    tone: 'bad',
    text: outcome.kind === 'failed' ? '✗ failed' : `✗ ${outcome.exchange.status}, not ${outcome.expected}`,
  }
}

function nameOf(way: Way): string {
  return way === 'none' ? 'no credentials' : WAY_LABELS[way]
}

function Detail({ cell, playground }: { readonly cell: Cell; readonly playground: Playground }) {
  const outcome = playground.outcomes.value.get(cellKeyOf(cell))
  return (
    <section class="detail" aria-label={`${cell.route.method} ${cell.route.path}, ${nameOf(cell.way)}`}>
      <div class="inline">
        <span role="status">{outcome ? <Judgement outcome={outcome} /> : <span class="muted">Calling…</span>}</span>
        <button type="button" class="quiet" onClick={() => void playground.run(cell)}>
          Send again
        </button>
      </div>
      {outcome?.kind === 'answered' && <ExchangeView exchange={outcome.exchange} />}
    </section>
  )
}

function Judgement({ outcome }: { readonly outcome: TryOutcome }) {
  if (outcome.kind === 'failed')
    return (
      <strong class="badge" data-tone="bad">
        {outcome.reason}
      </strong>
    )
  const { expected, exchange } = outcome
  return isAsExpected(outcome) ? (
    <strong class="badge" data-tone="good">
      {exchange.status} as expected
    </strong>
  ) : (
    <strong class="badge" data-tone="bad">
      {exchange.status}, expected {expected}
    </strong>
  )
}
