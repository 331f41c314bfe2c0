import { LiveTime } from '../components/live-time.tsx'
import type { EventRecord } from './record.ts'

/** What each level of a proof means. */
const LEVELS = {
  full: ['Full', 'The body, its id if it has one, and the time of sending are signed.'],
  body: ['Body', 'The body is signed; its id or the time of sending is not.'],
  fields: ['Fields', 'Some fields are signed; anybody can change the rest.'],
  checksum: ['Checksum', 'A checksum of the body is signed; anybody can make another body that has it.'],
  token: ['Token', 'A secret came with the call; nothing in it is signed.'],
  none: ['None', 'Nothing is proven about who sent it.'],
} as const satisfies Record<EventRecord['proof']['level'], readonly [name: string, meaning: string]>

/** Rows of facts: how well an event is proven. */
export function EventProof({ proof: { level, key, signedAt, stale } }: Pick<EventRecord, 'proof'>) {
  const [name, meaning] = LEVELS[level]
  return (
    <>
      <dt>Proof</dt>
      <dd>
        <strong>{name}.</strong> {meaning}
      </dd>
      {key !== null && (
        <>
          <dt>Key</dt>
          <dd class="mono">{key}</dd>
        </>
      )}
      {signedAt !== null && (
        <>
          <dt>Signed</dt>
          <dd>
            <LiveTime at={new Date(signedAt)} />
            {stale && (
              <>
                {' '}
                <span class="badge" data-tone="warn">
                  Came late
                </span>{' '}
                It was older than a signed call may be, and new.
              </>
            )}
          </dd>
        </>
      )}
    </>
  )
}
