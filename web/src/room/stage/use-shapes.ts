import { useState } from 'react'

/** Width / height of videos, by name. A video reports its shape when it is known, and whenever it changes. */
export function useShapes() {
  const [shapes, setShapes] = useState<ReadonlyMap<string, number>>(new Map())
  return {
    shapeOf: (name: string) => shapes.get(name),
    report: (name: string, shape: number) => {
      setShapes((before) =>
        before.get(name) === shape ? before : new Map(before).set(name, shape),
      )
    },
  }
}

/** Undefined until the video's size is known. */
export function shapeOfVideo({ videoWidth, videoHeight }: HTMLVideoElement): number | undefined {
  return videoWidth > 0 && videoHeight > 0 ? videoWidth / videoHeight : undefined
}
