import { signal } from '@preact/signals'

let timer: number | undefined

function tick(): void {
  now.value = new Date()
}

/** The time, once a second for as long as somebody looks. */
export const now = signal(new Date(), {
  watched() {
    tick()
    timer = setInterval(tick, 1000)
  },
  unwatched: () => clearInterval(timer),
})
