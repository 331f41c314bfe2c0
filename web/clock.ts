import { signal } from '@preact/signals'

let timer: number | undefined

function tick(): void {
  now.value = new Date()
}

/** The current time, updated once a second while it has subscribers. */
export const now = signal(new Date(), {
  watched() {
    tick()
    timer = setInterval(tick, 1000)
  },
  unwatched: () => clearInterval(timer),
})
