/** The W3C's parser and validator comes without types. */
declare module 'webvtt-parser' {
  export interface VttNode {
    /** Of an object; `v` for a voice. */
    name?: string
    classes?: string[]
    value: string
    children: VttNode[]
  }

  export interface VttCue {
    startTime: number
    endTime: number
    text: string
    tree: { children: VttNode[] }
  }

  export interface ParsedVtt {
    cues: VttCue[]
    /** Whatever a file that conforms must not have. */
    errors: { message: string; line: number; col?: number }[]
  }

  const exported: {
    WebVTTParser: new () => { parse(text: string, kind: string): ParsedVtt }
  }
  export default exported
}
