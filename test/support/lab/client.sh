# A client of the API in curl, that meets all faults at once: sh client.sh good|bad BASE CLIENT_NAME.
# The good one does what an answer says. The bad one trusts its own clock, and repeats what was refused.
variant=$1 base=$2 name=$3
user=ldapuser password=ldapuser-demo
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

ask() { # FAULT PATH, options of curl...: prints the status, keeps headers and body
  url=$base/lab/$1$2 kept=$folder/$1
  shift 2
  curl -s -o "$kept.body" -D "$kept.headers" -w '%{http_code}' -H "X-Client-Name: $name" "$@" "$url"
}

login() { # FAULT: keeps the token
  ask "$1" /api/auth/login -d "username=$user" -d "password=$password" >"$folder/$1.login"
  sed -n 's/.*"token":"\([^"]*\)".*/\1/p' "$folder/$1.body" >"$folder/$1.token"
}

call() { # FAULT
  ask "$1" /api/auth/info -H "Authorization: Bearer $(cat "$folder/$1.token")"
}

header() { # FAULT NAME
  tr -d '\r' <"$folder/$1.headers" | sed -n "s/^\(x-amzn-remapped-\)\{0,1\}$2: *//Ip" | head -n 1
}

expiry() { # FAULT
  payload=$(cut -d. -f2 <"$folder/$1.token" | tr '_-' '/+')
  while [ $((${#payload} % 4)) -ne 0 ]; do payload="$payload="; done
  printf '%s' "$payload" | base64 -d | sed -n 's/.*"exp":\([0-9]*\).*/\1/p'
}

good() { # FAULT
  case $(call "$1") in
  401) case $(header "$1" www-authenticate) in Bearer*) login "$1" && call "$1" ;; esac ;;
  429 | 503) sleep "$(header "$1" retry-after)" && call "$1" ;;
  esac
}

bad() { # FAULT
  for _ in 1 2 3; do
    if [ "$(expiry "$1")" -lt "$(date +%s)" ] && [ "$1" = clock-skew ]; then login "$1"; else call "$1"; fi
  done
}

session() { # FAULT
  ask "$1" /login -c "$folder/jar" -b "$folder/jar" -d "username=$user" -d "password=$password"
}

with_session() { # FAULT
  ask "$1" /api/auth/info -b "$folder/jar"
}

run() { # FAULT
  if [ "$1" = session-ends ]; then
    session "$1"
    if [ "$variant" = bad ]; then with_session "$1" && with_session "$1"
    elif [ "$(with_session "$1")" = 401 ]; then session "$1" && with_session "$1"; fi
    return
  fi
  login "$1"
  "$variant" "$1"
  if [ "$1" = expires-soon ]; then sleep 3 && "$variant" "$1"; fi
  if [ "$1" = clock-skew ]; then "$variant" "$1"; fi
}

for fault in expires-soon clock-skew rotated-key revoked session-ends too-many unavailable wrong-challenge; do
  run "$fault" >/dev/null &
done
wait
