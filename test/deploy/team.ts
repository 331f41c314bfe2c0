/** The longest name of a destination. */
const named = (index: number) => `the-longest-name-at-all${String.fromCharCode(97 + index)}`

/** As many destinations as there may be, with the handlers. */
export const DESTINATIONS = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => [
    named(index),
    { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } } as const,
  ]),
)

/** In the order of the files. */
export const HANDLERS = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `payment/${name}`, on: ['PAYMENT'] }))
