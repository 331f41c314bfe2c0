import { Icon } from '../ui/icon.tsx'
import { ForeignCode } from '../ui/text.tsx'
import { signingHeaders } from './proof.ts'
import type { EventDetail } from './record.ts'

/** The headers that came with an event, and those that the signature check read. */
export function HeaderTable({ event }: { readonly event: EventDetail }) {
  const { headers, source, proof, payloadDeletedAt } = event
  const checked = proof.level === 'none' ? [] : signingHeaders(source)
  const gone = checked.filter((name) => headers[name] === undefined)
  const rows = [...Object.entries(headers), ...gone.map((name) => [name, undefined] as const)]
  if (payloadDeletedAt !== null) return <p class="muted">The headers were deleted with the payload.</p>
  return (
    <>
      <p class="small muted">
        Headers that describe the event are kept. Signatures and credentials are checked, never stored.
      </p>
      {rows.length === 0 ? (
        <p>None were kept.</p>
      ) : (
        <table>
          <caption class="hide">Request headers</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row" class="value">
                  <code>{name}</code>
                  {checked.includes(name) && (
                    <span class="tone" data-tone="ok">
                      {' '}
                      <Icon name="key" label="used by the signature check" />
                    </span>
                  )}
                </th>
                <td class="value">
                  {value === undefined ? (
                    <span class="muted">used by the signature check, not stored</span>
                  ) : (
                    <ForeignCode text={value} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
