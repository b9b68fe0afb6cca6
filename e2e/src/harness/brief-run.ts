/** The counted part of such a run. */
export const BRIEF_SEC = 3

/**
 * A page that the service seems to tell to measure for three seconds, and whose result arrives as one of
 * the length that the service wants: for tests whose subject is what comes before and after the
 * measurement. Runs in the page before its own scripts.
 */
export const BRIEF_RUN = `{
  const ask = globalThis.fetch.bind(globalThis)
  const lengthened = (report) => ('measured_sec' in report ? { ...report, measured_sec: 15 } : report)
  globalThis.fetch = async (url, wish) => {
    if (/\\/live\\/result$/.test(url)) {
      return ask(url, { ...wish, body: JSON.stringify(lengthened(JSON.parse(wish.body))) })
    }
    const answer = await ask(url, wish)
    if (!answer.ok || !/\\/connection-tests\\/[^/]+\\/live$/.test(url)) return answer
    const { data, ...told } = await answer.json()
    return Response.json({ ...told, data: { ...data, measure_for_sec: ${BRIEF_SEC} } })
  }
}`
