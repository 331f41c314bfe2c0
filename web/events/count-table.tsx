import { barText } from './bar-texts.ts'
import { barsOf, STACK } from './bars.ts'
import type { Counts } from './calls.ts'
import { narrowTo } from './histogram.tsx'
import { LOOKS } from './outcome.ts'

const COLUMNS = STACK.toReversed()

/** The histogram as a table, without empty rows; each row leads to its events. */
export function CountTable({ counts }: { readonly counts: Counts }) {
  const bars = barsOf(counts, []).filter(({ parts }) => parts.length > 0)
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Received</th>
            {COLUMNS.map((status) => (
              <th scope="col" class="end" key={status}>
                {LOOKS[status].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.start.getTime()}>
              <th scope="row">
                <button type="button" class="link" onClick={() => narrowTo([bar])}>
                  {barText(bar)}
                </button>
              </th>
              {COLUMNS.map((status) => (
                <td class="end num" key={status}>
                  {bar.counts[status] ?? 0}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
