# Writes OUT, a header with a digest of the files in LIST: what results of simulations depend on.
file(STRINGS ${LIST} sources)
list(SORT sources)
set(all "")
foreach(source ${sources})
  file(SHA256 ${source} digest)
  file(RELATIVE_PATH name ${ROOT} ${source})
  string(APPEND all "${name} ${digest}\n")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING ${digest} 0 16 digest)
set(text "/* Made by scripts/model-digest.cmake. */\n#define MODEL_DIGEST \"${digest}\"\n")
file(CONFIGURE OUTPUT ${OUT} CONTENT "${text}" @ONLY) # writes only what changed
