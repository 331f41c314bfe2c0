import { Badge } from '../ui/badge.tsx'
import { DialogButton, Modal } from '../ui/dialog.tsx'
import { barsOf, barText, lengthText, STACK } from './bars.ts'
import type { Counts, StatusCounts } from './calls.ts'
import { narrowTo } from './histogram.tsx'
import { narrow, place } from './navigation.tsx'
import { counts } from './reading.ts'
import { GROUPS, LOOKS } from './record.ts'

/** How many events of the range are in each status; each total shows its events alone. */
export function StatusTotals() {
  const found = counts.value
  return (
    <div class="bar line chips">
      {GROUPS.map((group) => (
        <Total key={group.label} group={group} totals={found?.totals.status} isLeast={found?.complete === false} />
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
  readonly totals: StatusCounts | undefined
  readonly isLeast: boolean
}

function Total({ group, totals, isLeast }: TotalProps) {
  const { label, tone, statuses } = group
  const { status } = place.value.filter
  const isOn = statuses.every((each) => status.includes(each))
  const total = statuses.reduce((sum, each) => sum + (totals?.[each] ?? 0), 0)

  function toggle(): void {
    const rest = status.filter((each) => !statuses.includes(each))
    narrow({ status: isOn ? rest : [...rest, ...statuses] })
  }

  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={toggle}>
      <Badge tone={tone}>{label}</Badge> <b class="num">{totals ? total.toLocaleString('en') : '–'}</b>
      {isLeast && total > 0 && <span title="At least so many">+</span>}
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
