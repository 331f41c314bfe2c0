"""Judges the vectors beside it by the schemes in their file alone. It needs Python 3.11 and, for signatures with public keys,
the package `cryptography` (Debian: python3-cryptography). It exits with 1 if a verdict is wrong."""
import base64, hashlib, hmac, json, pathlib, re, sys, zlib
from datetime import datetime
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

as_text = lambda value: value if isinstance(value, str) else "" if value is None else json.dumps(value)
as_int = lambda text: int.from_bytes(decoded(text, "base64url"), "big")


def decoded(text, form):
    if form == "hex":
        return bytes.fromhex(text)
    return text.encode() if form == "utf8" else base64.b64decode(text.replace("-", "+").replace("_", "/") + "==")


def texts_at(value, path):
    if not path:
        return [as_text(value)]
    name, *rest = path
    if isinstance(value, list):
        inner = value if name == "*" else value[int(name):][:1] or [None] if name.isdigit() else [None]
    else:
        inner = [value.get(name) if isinstance(value, dict) else None]
    return [text for one in inner for text in texts_at(one, rest)]


def find(place, call, found):
    (kind, _, path), pattern = place[0].partition(":"), place[1]
    part, *rest = path.split(".")
    if kind == "header":
        texts = [value for name, value in call["headers"].items() if re.fullmatch(path, name)]
    elif kind == "query":
        texts = parse_qs(urlsplit(call["url"]).query).get(path, [])
    elif kind == "json":
        texts = texts_at(json.loads(call["body"]), [part, *rest])
    elif kind == "part":
        texts = texts_at(json.loads(decoded(found[part][0], "base64url")), rest)
    else:
        texts = [call[kind].decode("latin1")]
    return [match[1] for text in texts or [""] for match in re.finditer(pattern, text, re.S)]


def public_key(text, form):
    if form == "pem":
        return x509.load_pem_x509_certificate(text.encode()).public_key() if "CERTIFICATE" in text else serialization.load_pem_public_key(text.encode())
    if form != "jwk":
        raw = decoded(text, form if form == "hex" else "base64")
        return ed25519.Ed25519PublicKey.from_public_bytes(raw) if len(raw) == 32 else serialization.load_der_public_key(raw)
    key = json.loads(text)
    if key["kty"] == "RSA":
        return rsa.RSAPublicNumbers(as_int(key["e"]), as_int(key["n"])).public_key()
    return ec.EllipticCurvePublicNumbers(as_int(key["x"]), as_int(key["y"]), ec.SECP256R1()).public_key()


def is_signed(variant, key, signed, text):
    (kind, _, hash_name), form, signature = variant["method"].partition("-"), variant["key"], decoded(text, variant["encoding"])
    if kind == "equal":
        return signature == key.encode()
    if kind == "hmac":
        return hmac.compare_digest(hmac.digest(decoded(key, form), signed, hash_name), signature)
    public, hashing = public_key(key, form), hashes.SHA1() if hash_name == "sha1" else hashes.SHA256()
    if hash_name.endswith("p1363"):
        signature = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    kinds = {"ed25519": [], "rsa": [padding.PKCS1v15(), hashing], "ecdsa": [ec.ECDSA(hashing)]}
    return public.verify(signature, signed, *kinds[kind]) is None


def is_proven(variant, vector, secret):
    call = {**vector, "body": base64.b64decode(vector["bodyBase64"])}
    found = {}
    for name, place in variant["find"].items():
        found[name] = find(place, call, found)
        if name != "signature" and len(found[name]) != 1:
            return False
    key_name, *rest = re.search(variant.get("secret", "^(.+)$"), secret, re.S).groups()
    fields = {name + value for name, value in parse_qsl(call["body"].decode("latin1"), keep_blank_values=True)}
    values = {**call, "keyName": key_name, "crc32": str(zlib.crc32(call["body"])), "form": "".join(sorted(fields))}
    values["sha256"] = hashlib.sha256(call["body"]).hexdigest()
    values["unescapedUrl"] = re.sub("(?i)%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)", lambda match: unquote(match[0]), call["url"])
    values |= {name: texts[0] for name, texts in found.items() if texts}
    as_bytes = lambda value: value if isinstance(value, bytes) else value.encode()
    fill = lambda template: b"".join(as_bytes(values[part] if at % 2 else part) for at, part in enumerate(re.split(r"\{([\w.]+)\}", template)))
    if any(fill(one) != fill(other) for one, other in variant.get("same", [])):
        return False
    held = [attempt(is_signed, variant, (rest or [key_name])[0], fill(variant.get("signed", "")), text) for text in found["signature"]]
    tolerance = vector["toleranceSeconds"]
    if "unit" in variant and tolerance is not None:
        begin, end = (seconds((found.get(name) or found.get("time"))[0], variant["unit"]) for name in ("from", "until"))
        if vector["now"] - end > tolerance or begin - vector["now"] > tolerance:
            return False
    return all(held) and bool(held) if variant.get("every") else any(held)


def seconds(text, unit):
    return int(datetime.fromisoformat(text).timestamp()) if unit == "iso" else int(text) // (1000 if unit == "ms" else 1)


def attempt(judge, *given):
    try:
        return judge(*given)
    except Exception:
        return False


data = json.loads((pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).with_name("vectors.json")).read_text())
variants = lambda vector: data["schemes"][vector["scheme"]]["variants"]
is_valid = lambda vector: any(attempt(is_proven, one, vector, secret) for one in variants(vector) for secret in vector["secrets"])
wrong = [vector for vector in data["vectors"] if is_valid(vector) != vector["valid"]]
for vector in wrong:
    print(f"{vector['id']}: judged {'invalid' if vector['valid'] else 'valid'} ({vector['reason']})")
print(f"{len(data['vectors'])} vectors of {len({vector['scheme'] for vector in data['vectors']})} providers, {len(wrong)} wrong verdicts")
sys.exit(1 if wrong else 0)
