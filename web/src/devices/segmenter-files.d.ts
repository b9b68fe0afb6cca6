interface ImportMetaEnv {
  /** The folder where `segmenter-files.ts` puts what finds people in a picture. */
  readonly SEGMENTER_FILES: string
}
