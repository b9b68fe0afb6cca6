interface ImportMetaEnv {
  /** The folder to which `segmenter-files.ts` copies the person segmenter. */
  readonly SEGMENTER_FILES: string
}
