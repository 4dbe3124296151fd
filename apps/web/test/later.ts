/** For an answer that waits: `isAnswered` resolves when `answer` is called. */
export function later() {
  let answer = () => {}
  const isAnswered = new Promise<void>(resolve => {
    answer = resolve
  })
  return { isAnswered, answer: () => answer() }
}
