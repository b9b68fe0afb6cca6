/** The present moment. Rules take a `now`; only this file and tests' own clocks read the time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
