import { Badge } from '../ui/badge.tsx'
import { DialogButton, Modal } from '../ui/dialog.tsx'
import { barsOf, barText, lengthText, STACK } from './bars.ts'
import { type Counts, totalOf } from './calls.ts'
import { narrowTo } from './histogram.tsx'
import { narrow, place } from './navigation.tsx'
import { counts } from './reading.ts'
import { GROUPS, LOOKS } from './record.ts'
import { isStanding } from './search-terms.ts'

/** How many events of the range are in each status; each total shows its events alone. */
export function StatusTotals() {
  const found = counts.value
  return (
    <div class="bar line chips">
      {GROUPS.map((group) => (
        <Total key={group.label} group={group} counts={found} />
      ))}
      <span class="push row wide-only">
        <span class="muted small c3">
          {found && `${lengthText(found.bucketSeconds)} a bar. Drag to select a range.`}
        </span>
        <DialogButton
          icon="grid"
          class="bare"
          label="Counts as a table"
          title="Counts as a table"
          dialog={(close) =>
            found && (
              <Modal title="Events by time and status" close={close}>
                <CountTable counts={found} />
              </Modal>
            )
          }
        />
      </span>
    </div>
  )
}

interface TotalProps {
  readonly group: (typeof GROUPS)[number]
  /** Undefined until they are read. */
  readonly counts: Counts | undefined
}

function Total({ group: { label, tone, status, dead }, counts: found }: TotalProps) {
  const isOn = isStanding(place.value.filter, { status, dead })
  const total = found ? totalOf(found, { status, dead }) : 0
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isOn}
      onClick={() => narrow(isOn ? { status: [], dead: '' } : { status, dead })}
    >
      <Badge tone={tone}>{label}</Badge> <b class="num">{found ? total.toLocaleString('en') : '–'}</b>
      {found?.complete === false && total > 0 && <span title="At least so many">+</span>}
    </button>
  )
}

const COLUMNS = STACK.toReversed()

/** The histogram as a table, without empty rows; each row leads to its events. */
function CountTable({ counts }: { readonly counts: Counts }) {
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
