import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './service.ts'

interface CodeBlock {
  language: string
  code: string
}

/** The code blocks of a page, in order. */
export function allBlocks(page: string): CodeBlock[] {
  const text = readFileSync(path.join(ROOT, 'docs', page), 'utf8')
  const blocks = text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, language = '', code = '']) => ({ language, code }))
}

/** The code blocks in one language. */
export function codeBlocks(page: string, language: string): string[] {
  return allBlocks(page)
    .filter((block) => block.language === language)
    .map(({ code }) => code)
}

/** The receiver of docs/guide/webhooks.md, with the secret and the port of the environment. */
export const goReceiver = (code: string): string => `package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

${code}

func main() {
	http.Handle("/webhooks", receive("whsec_b3RoZXI=", os.Getenv("WEBHOOK_SECRET")))
	log.Println("waiting for webhooks")
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
`

/** The code that the README of each package assumes before its own. */
export const README_PROGRAMS: Readonly<Record<'ts' | 'python', () => string>> = {
  ts: () => `const env = process.env as Record<string, string>
const { PUBLIC_URL: publicUrl, API_KEY: apiKey, TENANT_ID: tenantId } = env
const { private_jwk: privateJwk, ...kept } = JSON.parse(env.TOKEN_KEY)
const key = { ...kept, privateJwk }
${codeBlocks('../sdk/README.md', 'ts').join('\n')}
`,
  python: () => `import os, json
token_key = json.loads(os.environ["TOKEN_KEY"])
private_jwk = token_key["private_jwk"]
public_url, api_key = os.environ["PUBLIC_URL"], os.environ["API_KEY"]
tenant_id = os.environ["TENANT_ID"]
${codeBlocks('../sdk/python/README.md', 'python')
  .join('\n')
  .replace('"backend-1"', 'token_key["kid"]')
  // The other package has already booked that slot.
  .replace('"48213"', '"48214"')}
`,
}

/** The code that the fragments of docs/participant-tokens.md assume around each of them. */
export const TOKEN_PROGRAMS: Readonly<Record<'ts' | 'python' | 'go', (code: string) => string>> = {
  ts: (code) => `const env = process.env as Record<string, string>
const { private_jwk: privateJwk, kid } = JSON.parse(env.TOKEN_KEY)
const [tenantId, publicUrl, roomId] = [env.TENANT_ID, env.PUBLIC_URL, env.ROOM_ID]
${code.replace("kid: 'backend-1'", 'kid')}
console.log(link)
`,
  python: (code) => `import os, json
token_key = json.loads(os.environ["TOKEN_KEY"])
private_jwk = token_key["private_jwk"]
tenant_id, public_url = os.environ["TENANT_ID"], os.environ["PUBLIC_URL"]
room_id = os.environ["ROOM_ID"]
${code.replace('"backend-1"', 'token_key["kid"]')}
print(link)
`,
  go: (code) => `package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func number(text string) *big.Int {
	bytes, _ := base64.RawURLEncoding.DecodeString(text)
	return new(big.Int).SetBytes(bytes)
}

func linkOf(privateKey *ecdsa.PrivateKey, kid, tenantID, publicURL, roomID string) (string, error) {
${code.replace('"backend-1"', 'kid')}
	return link, nil
}

func main() {
	var key struct {
		Kid string
		Jwk struct{ X, Y, D string } \`json:"private_jwk"\`
	}
	json.Unmarshal([]byte(os.Getenv("TOKEN_KEY")), &key)
	public := ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.Jwk.X), Y: number(key.Jwk.Y)}
	private := &ecdsa.PrivateKey{PublicKey: public, D: number(key.Jwk.D)}
	link, err := linkOf(private, key.Kid, os.Getenv("TENANT_ID"), os.Getenv("PUBLIC_URL"), os.Getenv("ROOM_ID"))
	if err != nil {
		panic(err)
	}
	fmt.Println(link)
}
`,
}
