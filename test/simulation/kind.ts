import type { Mutation } from './mutation.ts'

export interface Living {
  /** A guard that is left out. */
  readonly mutation?: Mutation
  /** Told what happens, a line each. */
  readonly trace?: (line: string) => void
}

/** How a world went. */
export interface Lived<C> {
  /** Its course with everything that chance decided: this world once more. */
  readonly course: C
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

/** What the worlds of one kind have in common. */
export interface Rules<C extends object> {
  /** The course of a seed's world. */
  draw(seed: number): C
  live(course: C, living?: Living): Promise<Lived<C>>
  /** Courses with a little less in them. */
  smaller(course: C): Iterable<C>
}

/** A kind of worlds, whatever their courses are made of. */
export interface Kind {
  draw(seed: number): Trial
  /** The world of a course that was written down. */
  again(course: object): Trial
}

/** One world, which can be lived through any number of times and always goes the same way. */
export interface Trial {
  readonly course: object
  live(living?: Living): Promise<Lived<Trial>>
  smaller(): Iterable<Trial>
}

export function kindOf<C extends object>({ draw, live, smaller }: Rules<C>): Kind {
  const trialOf = (course: C): Trial => ({
    course,
    async live(living) {
      const lived = await live(course, living)
      return { ...lived, course: trialOf(lived.course) }
    },
    *smaller() {
      for (const less of smaller(course)) yield trialOf(less)
    },
  })
  return { draw: (seed) => trialOf(draw(seed)), again: (course) => trialOf(course as C) }
}
