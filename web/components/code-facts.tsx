/** Names and values as sent over the wire. */
export function CodeFacts({ entries }: { readonly entries: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="facts">
      {entries.map(([name, value]) => [
        <dt key={name}>
          <code>{name}</code>
        </dt>,
        <dd key={`${name}:`}>
          <code>{value}</code>
        </dd>,
      ])}
    </dl>
  )
}
