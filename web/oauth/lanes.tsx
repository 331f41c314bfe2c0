import type { ComponentChildren } from 'preact'
import { Icon } from '../ui/icon.tsx'
import { Scroll } from '../ui/layout.tsx'
import { LocalLink } from '../ui/links.tsx'
import type { DrawnMessage } from './drawing.ts'

interface LanesProps {
  readonly messages: readonly DrawnMessage[]
  /** The name of the open message. */
  readonly open: string
  readonly linkTo: (name: string) => string
  readonly follow: (name: string) => void
  /** Above the diagram. */
  readonly children: ComponentChildren
}

/** Browser, Gatehouse and provider, and the messages between them from top to bottom. */
export function Lanes({ messages, open, linkTo, follow, children }: LanesProps) {
  return (
    <Scroll label="Messages between browser, Gatehouse and provider" class="pad stack">
      {children}
      <div class="meter lane-heads">
        <b>Browser</b>
        <b>Gatehouse</b>
        <b>Provider</b>
      </div>
      <ol class="lanes">
        {messages.map((message) => (
          <li key={message.name} class={classOf(message)} data-state={message.state}>
            <LocalLink
              address={linkTo(message.name)}
              current={message.name === open ? 'true' : undefined}
              follow={() => follow(message.name)}
              tone={message.state === 'stopped' ? 'bad' : 'note'}
            >
              <Line message={message} />
            </LocalLink>
          </li>
        ))}
      </ol>
    </Scroll>
  )
}

function Line({ message: { number, line, state } }: { readonly message: DrawnMessage }) {
  return (
    <span>
      <b class="num">{number}</b> {line}
      {state === 'stopped' && (
        <>
          {' '}
          <span class="tone" data-tone="bad">
            <Icon name="shield" /> stopped
          </span>
        </>
      )}
      {state === 'never' && <span class="hide"> (not sent)</span>}
    </span>
  )
}

function classOf({ lanes, isBack, state }: DrawnMessage): string {
  return [lanes, ...(isBack ? ['back'] : []), ...(state === 'never' ? ['never'] : [])].join(' ')
}
