import { type Static, Type } from 'typebox'
import { about, named, nullable, string } from './envelope.ts'

const BrandPalette = named(
  'BrandPalette',
  Type.Object(
    {
      accent: string('Buttons and marks, as `#rrggbb`.'),
      accent_hover: string('The same under the pointer.'),
      accent_soft: string('Ground of notes.'),
      accent_text: string('Text in the colour, on every ground of the pages.'),
      on_accent: string('Text on `accent` and `accent_hover`.'),
    },
    {
      description: 'Colours of one scheme. Each pair that is read has a contrast of at least 4.5.',
    },
  ),
)
export type BrandPalette = Static<typeof BrandPalette>

/** The look of a tenant's rooms. The operator sets it on the command line. */
export const BrandingBody = named(
  'Branding',
  Type.Object(
    {
      name: nullable(Type.String(), 'Name in the head of the pages. Null for that of the service.'),
      logo_url: nullable(Type.String(), 'Logo as a data URL (PNG, JPEG or WebP). Null for none.'),
      palette: nullable(
        named(
          'BrandPalettes',
          Type.Object(
            {
              light: about(BrandPalette, 'Of the light scheme.'),
              dark: about(BrandPalette, 'Of the dark scheme.'),
            },
            { description: 'Colours of both schemes.' },
          ),
        ),
        'Colours that are made of the colour of the tenant. Null for those of the service.',
      ),
      help_contact: nullable(
        Type.String(),
        'Whom to ask for help, such as a telephone number. Null for none.',
      ),
    },
    { description: 'How the rooms of a tenant look.' },
  ),
)
export type BrandingBody = Static<typeof BrandingBody>
